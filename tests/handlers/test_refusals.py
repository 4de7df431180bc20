"""What makes no sense is refused in a sentence: the arguments of strategies, consumers, banks and the protocol."""

import re

import pytest

from exactly_once import Fault, Program, simulate
from exactly_once.errors import BadInput
from exactly_once.handlers import STAGES, Bank, Chain, micro_batch
from exactly_once.handlers.logs.database_consumer import SHOP, Messages
from exactly_once.log import a_run

TRANSFER = STAGES["transaction"]
THREE = {"a": 1, "b": 1, "c": 1}
WRONG = [  # (what is called, with what, what is said)
    (Fault, ("row.update", None, "duplicated request"), "delivers each request once and in order"),
    (Fault, ("row.update", None, "late request"), "delivers each request once and in order"),
    (micro_batch, ("commits messages once", 1, 99), "99"),
    (Bank, (TRANSFER, [[("a", "x", 1)]]), "from 'a' to 'x'; name two of a, b"),
    (Bank, (TRANSFER, [[("a", "a", 1)]]), "from 'a' to 'a'"),
    (Bank, (TRANSFER, [[("a", "b", 0)]]), "amount of an order"),
    (Bank, (TRANSFER, [[("a", "b", 1)]], {"a": -1, "b": 1}), "balance of the account 'a'"),
    (Chain, ([[("a", "b", 1)], [("b", "a", 1)]],), "one list, all from one account"),
    (Chain, ([[("a", "b", 1), ("c", "b", 1)]], THREE), "one list, all from one account"),
    (Chain, ([[("a", "b", 1)], [("b", "c", 1)]], THREE), "one list, all from one account"),
    (a_run, (("incarnation 3",),), "'incarnation 3' cannot happen"),
]
SESSIONS = [  # (what a handler asks of the database, what is said)
    (lambda shop: (shop.begin(), shop.begin()), "commit it or roll it back before the next one begins"),
    (lambda shop: (session := shop.begin(), session.commit(), session.read("index")), "no open transaction"),
]


def test_what_makes_no_sense_is_refused():
    for call, arguments, words in WRONG:
        with pytest.raises(BadInput, match=f"(?i){re.escape(words)}"):
            call(*arguments)


def test_what_a_handler_asks_of_a_database_in_vain_ends_it_in_a_sentence():
    for lines, words in SESSIONS:
        run = simulate([Program(lambda node, lines=lines: lines(node.store(SHOP)), Messages())])
        assert words in (run.error or "")
