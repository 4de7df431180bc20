"""`show` refuses a wrong argument in one sentence that names the right type."""

import pytest

from exactly_once import show
from exactly_once.errors import BadInput
from exactly_once.faults import FaultPlan
from exactly_once.handlers import handler_for
from exactly_once.simulate import simulate

A_RUN = simulate(handler_for("at_least_once"), FaultPlan())
NO_VERDICTS = [None, "x", 3, [], A_RUN]
OF_A_VERDICT = [
    *(show.verdict, show.verdict_html, show.tape_html, show.facts_html, show.tape_table),
    *(show.headline, show.explanation),
]


@pytest.mark.parametrize("function", OF_A_VERDICT, ids=lambda function: function.__name__)
@pytest.mark.parametrize("nonsense", NO_VERDICTS, ids=lambda value: type(value).__name__)
def test_what_is_no_verdict_is_refused_in_one_sentence(function, nonsense):
    with pytest.raises(BadInput, match=r"give a verdict, such as judge\(run, handler\) returns\.$"):
        function(nonsense)


@pytest.mark.parametrize(
    "call",
    [
        *(lambda value: show.spacetime(value), lambda value: show.item_shown(value)),
        *(lambda value: show.spacetime_picture(value), lambda value: show.spacetime_svg(value)),
        *(lambda value: show.spacetime(A_RUN, item=value or "y"), lambda value: show.spacetime(A_RUN, width=value)),
        *(lambda value: show.trace_table(value), lambda value: show.table_html(value)),
        *(lambda value: show.folded(value, "title"), lambda value: show.code(value)),
        *(lambda value: show.code(handler_for("at_least_once"), value or "y"), lambda value: show.word(value or "y")),
        *(lambda value: show.code(handler_for("at_least_once"), None, value or "y"),),
        *(lambda value: show.words(value or "y"), lambda value: show.series_figure(value or "y")),
        *(lambda value: show.orders(value), lambda value: show.matrix(value, {})),
        *(lambda value: show.matrix([("own", "mine")], value), lambda value: show.matrix_table(value, {})),
        *(lambda value: show.matrix([("own", "mine")], {("own", "B"): value or "y"}),),
        *(lambda value: show.matrix([("own", "mine")], {value: None}), lambda value: show.orders({value: None})),
        *(lambda value: show.orders({(value, "B"): None}), lambda value: show.claims_table(value)),
        *(lambda value: show.flaws(value), lambda value: show.proof(value)),
        *(lambda value: show.levels_and_forms_table(value), lambda value: show.side_by_side(value or "y")),
    ],
)
@pytest.mark.parametrize("nonsense", [None, "x"])
def test_what_cannot_be_shown_is_refused_in_one_sentence(call, nonsense):
    with pytest.raises(BadInput, match=r"give |it can be |it must be |an order is "):
        call(nonsense)
