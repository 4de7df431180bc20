"""The debugger: its inputs, its refusals, and the effects of its controls."""

import pytest

from exactly_once.errors import BadInput
from exactly_once.explore import prove, replay
from exactly_once.faults import FaultPlan
from exactly_once.handlers import at_least_once, at_most_once
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.verdict import judge
from exactly_once.widgets import DebuggerModel, debugger
from exactly_once.widgets.debug.debug_model import opened

PROOF = prove(at_least_once, items=2, crashes=1)
TOKEN = PROOF.counterexample.token
RUN = simulate(at_least_once, FaultPlan.crash("B", 3), Job())


@pytest.mark.parametrize("source", [PROOF, PROOF.counterexample, TOKEN, replay(TOKEN, at_least_once)])
def test_a_proof_its_counterexample_its_token_and_its_replay_are_the_same_run(source):
    found = opened(source, at_least_once)
    assert [event.text for event in found.steps.events] == [event.text for event in opened(PROOF).steps.events]
    assert found.handlers == (at_least_once,)


@pytest.mark.parametrize("source", [RUN, RUN.trace, judge(RUN, at_least_once), RUN.plan.token])
def test_a_run_its_trace_its_verdict_and_its_token_are_the_same_run(source):
    found = opened(source, at_least_once)
    assert [event.text for event in found.steps.events] == [event.text for event in RUN.trace]


def test_a_proof_tells_what_is_wrong():
    assert opened(PROOF).sentence == PROOF.counterexample.sentence


@pytest.mark.parametrize(
    ("source", "handler", "words"),
    [
        ("nonsense", at_least_once, "'nonsense' is no token"),
        (TOKEN, None, "give its handler"),
        (TOKEN[:-1], at_least_once, "changed or cut"),
        (TOKEN, at_most_once, "for another handler"),
        ("eo1-B3w-AAAA", at_least_once, "changed or cut"),
        (RUN.plan.token, [at_least_once, at_most_once], "for one handler"),
        (prove(at_least_once, items=1, crashes=0), None, "no counterexample"),
        (42, None, "cannot open 42"),
        (None, None, "cannot open None"),
        (RUN, "handler", "handler"),
    ],
)
def test_nonsense_gets_one_sentence(source, handler, words):
    with pytest.raises(BadInput, match=words) as why:
        debugger(source, handler)
    assert "\n" not in str(why.value)


def test_the_controls_lead_where_they_say_and_never_beyond_the_ends():
    model = DebuggerModel(PROOF, at_least_once)
    places = []
    for what, value in [
        ("step", 1), ("step", 5), ("step", -3), ("step", "7"), ("step", None), ("step", True), ("step", 10**9),
        ("step", 0), ("dance", 3),
    ]:  # fmt: skip
        model.do(what, value)
        places.append(model.at)
    assert places == [1, 5, 0, 0, 0, 0, model.last, 0, 0]


def test_the_screen_follows_the_model():
    shown = debugger(PROOF, at_least_once)
    assert (shown.at, shown.last, shown.marks) == (0, len(shown.model.steps) - 1, shown.model.steps.faults())
    first = shown.says, shown.diagram
    shown.go(16)
    assert shown.at == 15
    assert shown.says.startswith("Step 16 of")
    assert (shown.says, shown.diagram) != first
    shown._heard(None, {"do": "step", "value": 16}, None)
    assert shown.at == 16
    before = shown.diagram
    shown._heard(None, {"do": "width", "value": 1300}, None)
    assert shown.diagram != before
    for nonsense in (None, "x", {"do": 3}, {"do": "width", "value": "wide"}, {"do": "step", "value": {}}):
        shown._heard(None, nonsense, None)
    assert shown.at == 16
    assert repr(shown).startswith("Debugger: Step 17 of")


def test_nodes_are_called_nodes_where_there_are_several():
    shown = debugger(prove(at_least_once, nodes=2, items=1, crashes=0), at_least_once)
    shown.go(len(shown.model.steps))
    assert "node 1</text>" in shown.diagram
    assert " node 2</span>" in shown.code
    alone = debugger(PROOF, at_least_once)
    assert "node" not in alone.diagram
