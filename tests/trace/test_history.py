"""A trace as a history: its clocks have the causality of the trace's messages."""

import itertools

import pytest

from exactly_once import Fault, FaultPlan, Job, prove, simulate
from exactly_once.clocks import history_of
from exactly_once.handlers import at_least_once
from exactly_once.lockfree import hourly_means

SMALL = Job(items=2)


def traces():
    crash = FaultPlan.crash("B", 1)
    lost = FaultPlan([Fault("output.push", 1, "lost reply"), Fault("state.save", 2, "lost request")])
    twice = FaultPlan([Fault("output.push", 1, "duplicated request")])
    for plan in (FaultPlan(), crash, lost, twice):
        yield simulate(at_least_once, plan, SMALL).trace
    yield simulate(hourly_means, FaultPlan([Fault("register.cas", 1, "crash after")]), SMALL).trace
    yield prove(at_least_once, nodes=2, items=1, crashes=0).counterexample.trace
    yield prove(at_least_once, items=1, crashes=0, pauses=1).counterexample.trace


def causes(trace):
    """Return the pairs of places in the trace of which the first happened before the second, by closure."""
    events = list(trace)
    before = [set() for _ in events]
    last, sent = {}, {}
    for place, event in enumerate(events):
        direct = [last[event.process]] if event.process in last else []
        message = (event.message or "").replace("again", "")
        if event.kind == "receive" and message in sent:
            direct.append(sent[message])
        for cause in direct:
            before[place] |= before[cause] | {cause}
        last[event.process] = place
        if event.kind == "send":
            sent[event.message] = place
    return {(cause, place) for place, all_causes in enumerate(before) for cause in all_causes}


@pytest.mark.parametrize("trace", list(traces()))
def test_the_clocks_of_a_trace_say_what_its_messages_say(trace):
    vectors = history_of(trace).vectors
    assert len(vectors) == len(trace)
    wanted = causes(trace)
    for (one, early), (two, late) in itertools.combinations(enumerate(vectors), 2):
        assert all(time <= late.get(each, 0) for each, time in early.items()) == ((one, two) in wanted)
        assert any(time > early.get(each, 0) for each, time in late.items()), "no event comes before an earlier one"
