"""What makes no sense is refused in a sentence: the arguments of strategies, consumers, banks and the protocol."""

import re

import pytest

from exactly_once import Fault, Program, simulate
from exactly_once.errors import BadInput
from exactly_once.handlers import STAGES, Bank, Chain, micro_batch, offset_in_sink, two_phase
from exactly_once.handlers.logs.database_consumer import SHOP, Messages, consuming, twins, where_index
from exactly_once.log import a_run, transaction_protocol
from exactly_once.simulate.places import places
from exactly_once.stores import levels_and_forms

TRANSFER = STAGES["transaction"]
THREE = {"a": 1, "b": 1, "c": 1}
WRONG = [  # (what is called, with what, what is said)
    (places, (two_phase, None, 5), "the node is 5"),
    (places, (offset_in_sink, None, "sink"), "the node is 'sink'"),
    (levels_and_forms, (3,), "map each name to a function"),
    (consuming, (where_index, "cursor stability"), "cursor stability"),
    (twins, (where_index, "snapshot", 2, 0), "0"),
    (twins, ((where_index,), "snapshot"), ""),
    (twins, ("WHERE", "snapshot"), "WHERE"),
    (Fault, ("row.update", None, "duplicated request"), "delivers each request once and in order"),
    (Fault, ("row.update", None, "late request"), "delivers each request once and in order"),
    (micro_batch, ("files",), "files"),
    (micro_batch, ("commits messages once", 0), "0"),
    (micro_batch, ("commits messages once", 1, 99), "99"),
    (micro_batch, ("commits messages once", "two"), "two"),
    (Bank, (TRANSFER, []), "give each mover at least one"),
    (Bank, (TRANSFER, [[]]), "give each mover at least one"),
    (Bank, (TRANSFER, [[("a", "x", 1)]]), "from 'a' to 'x'; name two of a, b"),
    (Bank, (TRANSFER, [[("a", "a", 1)]]), "from 'a' to 'a'"),
    (Bank, (TRANSFER, [[("a", "b", 0)]]), "amount of an order"),
    (Bank, (TRANSFER, [[("a", "b", 1)]], {"a": -1, "b": 1}), "balance of the account 'a'"),
    (Chain, ([[("a", "b", 1)], [("b", "a", 1)]],), "one list for each account"),
    (Chain, ([[("a", "b", 1), ("c", "b", 1)]], THREE), "one list for each account"),
    (Chain, ([[("a", "b", 1)], [("b", "c", 1)]], THREE), "one list for each account"),
    (Chain, ([[("a", "x", 1)]],), "name two of a, b"),
    (Chain, ([],), "at least one"),
    (Chain, ([[("a", "b", 7)]], None, 0), "number of twins"),
    (Chain, ([[("a", "b", 7)]], None, (1, 2, 3)), "or two"),
    (a_run, (("incarnation 3",),), "'incarnation 3' cannot happen"),
]
PROTOCOL = [
    {"protocol": 3}, {"mutant": "no epoch"}, {"lives": 0}, {"transactions": 9}, {"verification": 1},
    {"asks": ("everything",)}, {"marker_rule": "kafka 3.9"}, {"deaths": -1}, {"floods": 1},
]  # fmt: skip
SESSIONS = [  # (what a handler asks of the database, what is said)
    (lambda shop: (shop.begin(), shop.begin()), "commit it or roll it back before the next one begins"),
    (lambda shop: shop.begin("chaos"), "isolation level"),
    (lambda shop: shop.begin().update("index", 1.5), "whole number, a text, or None"),
    (lambda shop: shop.begin().update("", 1), "The row is ''"),
    (lambda shop: shop.begin().add("index", "1"), "the number to add"),
    (lambda shop: shop.begin("immediate").read_for_update("index"), "no SELECT … FOR UPDATE"),
    (lambda shop: (session := shop.begin(), session.commit(), session.read("index")), "no open transaction"),
]


def test_what_makes_no_sense_is_refused():
    for call, arguments, words in WRONG:
        with pytest.raises(BadInput, match=f"(?i){re.escape(words)}"):
            call(*arguments)
    for settings in PROTOCOL:
        with pytest.raises(BadInput):
            transaction_protocol(**settings)


def test_what_a_handler_asks_of_a_database_in_vain_ends_it_in_a_sentence():
    for lines, words in SESSIONS:
        run = simulate([Program(lambda node, lines=lines: lines(node.store(SHOP)), Messages())])
        assert words in (run.error or "")
