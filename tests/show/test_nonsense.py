"""`show` refuses a wrong argument in one sentence that names the right type."""

import re

import pytest

from exactly_once import FaultPlan, prove, show, simulate
from exactly_once.clocks import Event, History, random_history
from exactly_once.errors import BadInput
from exactly_once.handlers import at_least_once, handler_for

A_RUN = simulate(handler_for("at_least_once"), FaultPlan())
HISTORY = History([Event("a", "local"), Event("b", "local")])
OF_A_VERDICT = [
    *(show.verdict, show.verdict_html, show.tape_html, show.facts_html, show.tape_table),
    *(show.headline, show.explanation, show.averages),
]
OF_ANYTHING = [  # each is given None and a text
    *(lambda value: show.spacetime(value), lambda value: show.item_shown(value)),
    lambda value: show.spacetime_picture(value),
    *(
        lambda value: show.spacetime(A_RUN, item=value or "y"),
        lambda value: show.spacetime_picture(A_RUN, width=value),
    ),
    *(lambda value: show.trace_table(value), lambda value: show.table_html(value)),
    lambda value: show.table_picture(value),
    *(lambda value: show.folded(value, "title"), lambda value: show.code(value)),
    lambda value: show.word(value or "y"),
    lambda value: show.words(value or "y"),
    *(lambda value: show.orders(value), lambda value: show.matrix(value, {})),
    lambda value: show.matrix([("own", "mine")], value),
    lambda value: show.matrix([("own", "mine")], {("own", "B"): value or "y"}),
    *(lambda value: show.matrix([("own", "mine")], {value: None}), lambda value: show.orders({value: None})),
    *(lambda value: show.orders({(value, "B"): None}), lambda value: show.claims_table(value)),
    *(lambda value: show.flaws(value), lambda value: show.proof(value)),
    lambda value: show.side_by_side(value or "y"),
]
WRONG = [  # (what is called, with what, what is said)
    *((show.log, [source], "cannot be shown as a log") for source in (None, ["tea"], {"orders": 3}, "orders")),
    (show.log, [{"orders": []}, {"kitchen": "end"}], "a position is an offset"),
    *((show.right_outcomes, [ideals], "give an ideal outcome") for ideals in (None, [], "x", [1])),
    *((show.two_levels, [run], "Give a counterexample of the transaction protocol") for run in (None, "x", [], 3)),
    *((show.leader_death, [death], "give a leader's death") for death in (None, "x", 3)),
    *((show.contention_table, [results], "contend") for results in (None, [], [7], "cas")),
    *((draw, [wrong], "waits()") for draw in (show.waits_figure, show.waits_table) for wrong in (None, [], [7])),
    *((show.history, given, "") for given in (["a local"], [HISTORY, [1]], [HISTORY, None, [9]])),
    (show.history, [HISTORY, None, (), {-1: "x"}], ""),
    (show.history, [random_history(3, 401, 1)], ""),
    (show.side_by_side, [prove(at_least_once, crashes=1).counterexample], ""),
]


def test_what_is_no_verdict_is_refused_in_one_sentence():
    for function in OF_A_VERDICT:
        for nonsense in (None, "x", 3, [], A_RUN):
            with pytest.raises(BadInput, match=r"give a verdict, such as judge\(run, handler\) returns\.$"):
                function(nonsense)


def test_what_cannot_be_shown_is_refused_in_one_sentence():
    for call in OF_ANYTHING:
        for nonsense in (None, "x"):
            with pytest.raises(BadInput, match=r"give |it can be |it must be |an order is "):
                call(nonsense)
    for call, arguments, words in WRONG:
        with pytest.raises(BadInput, match=re.escape(words)):
            call(*arguments)
