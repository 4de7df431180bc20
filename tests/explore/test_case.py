"""A proof and a simulated run make programs of what they are given once, at the door."""

import sys
from collections import Counter

import pytest

from exactly_once import FaultPlan, Job, judge, prove, simulate
from exactly_once.handlers import at_least_once, transactional
from exactly_once.node.program import checked_handler, deployment_of
from exactly_once.pipeline.job import programs_of

NORMALISE = {one.__code__: one.__name__ for one in (programs_of, checked_handler, deployment_of)}


def counted(function, *given, **more):
    """Return (a function's result, the number of its calls of each of `NORMALISE`)."""
    calls = Counter()

    def note(frame, event, _):
        if event == "call" and frame.f_code in NORMALISE:
            calls[NORMALISE[frame.f_code]] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        return function(*given, **more), calls
    finally:
        sys.setprofile(before)


def test_a_proof_normalises_its_handler_once():
    proof, calls = counted(prove, at_least_once, items=2, crashes=0)
    assert proof.ok
    assert (calls["programs_of"], calls["checked_handler"]) == (1, 1)
    assert calls["deployment_of"] == 2, "to list the handlers, and to make their programs"


def test_a_counterexample_is_replayed_and_judged_as_programs():
    proof, calls = counted(prove, at_least_once, items=2, crashes=1)
    assert proof.counterexample.verdict is not None
    assert (calls["programs_of"], calls["checked_handler"]) == (1, 1)
    assert calls["deployment_of"] == 4, "two of them in the verdict, which is given a program"


def test_equal_nodes_that_ask_for_their_numbers_are_normalised_once():
    def asks(node):
        node.output.push(node.number)

    proof, calls = counted(prove, asks, nodes=2, items=1, crashes=0, invariant=lambda view: True)
    assert proof.ok
    assert (calls["programs_of"], calls["checked_handler"]) == (1, 1)


def test_a_reference_is_normalised_once_and_its_handler_as_well():
    proof, calls = counted(prove, at_least_once, items=1, crashes=1, reference=at_least_once)
    assert proof.counterexample is not None
    assert (calls["programs_of"], calls["checked_handler"]) == (2, 2)


@pytest.mark.parametrize(("handler", "nodes"), [(at_least_once, 1), (transactional, 2)])
def test_a_run_normalises_its_handler_once_and_a_verdict_asks_for_no_programs(handler, nodes):
    run, calls = counted(simulate, handler, FaultPlan(), Job(items=1))
    assert calls == {"programs_of": 1, "deployment_of": 1, "checked_handler": nodes}
    verdict, calls = counted(judge, run, handler)
    assert verdict.consistent
    assert calls == {"deployment_of": 2}
