"""A trace saved for ShiViz: read back as ShiViz reads it, with the same causality as the trace's messages."""

import itertools
import json
import re

import pytest

from exactly_once.clocks import concurrent, happened_before
from exactly_once.errors import BadInput, CourseError
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers import at_least_once
from exactly_once.lockfree import hourly_means
from exactly_once.node import Job
from exactly_once.simulate import prove, simulate
from exactly_once.trace import Event, Trace
from exactly_once.trace.shiviz import save_shiviz, shiviz_text, vector_stamps

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


def read_as_shiviz_does(text):
    """Return (host, clock, event) of each event: first line the expression, second the delimiter, then the log."""
    expression, delimiter, log = text.split("\n", 2)
    assert delimiter == ""
    return [
        (found["host"], json.loads(found["clock"]), found["event"])
        for found in re.finditer(expression.replace("(?<", "(?P<"), log)
    ]


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
def test_the_clocks_in_the_file_say_what_the_messages_say(trace, tmp_path):
    saved = save_shiviz(trace, tmp_path / "run.log")
    events = read_as_shiviz_does(saved.read_text(encoding="utf-8"))
    assert len(events) == len(trace)
    wanted = causes(trace)
    for (one, (_, early, _)), (two, (_, late, _)) in itertools.combinations(enumerate(events), 2):
        assert happened_before(early, late) == ((one, two) in wanted)
        assert concurrent(early, late) == ((one, two) not in wanted)


@pytest.mark.parametrize("trace", list(traces()))
def test_each_host_counts_its_own_events_from_one(trace):
    own = {}
    for host, clock, _ in read_as_shiviz_does(shiviz_text(trace)):
        own.setdefault(host, []).append(clock[host])
    assert all(times == list(range(1, len(times) + 1)) for times in own.values())


def test_hosts_have_names_without_spaces_and_no_two_have_the_same():
    same = [Event("a b", "local", 1, "x", "one\ntwo"), Event("a-b", "local", 2, "x", "three")]
    assert [(host, event) for host, _, event in read_as_shiviz_does(shiviz_text(Trace(same)))] == [
        ("a-b", "x: one two"),
        ("a-b-2", "x: three"),
    ]


def test_a_receipt_of_nothing_known_stands_alone():
    assert vector_stamps(Trace([Event("output", "receive", 4, "append", "1", message="1.1>")])) == [{"output": 1}]


def test_nonsense_is_refused_in_one_sentence(tmp_path):
    with pytest.raises(BadInput, match="give it the trace of a run"):
        shiviz_text("run")
    with pytest.raises(CourseError, match="Choose a folder that exists"):
        save_shiviz(Trace([]), tmp_path / "nowhere" / "run.log")
