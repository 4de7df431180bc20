"""A trace written for ShiViz: read back as ShiViz reads it, with the same causality as the trace's messages."""

import itertools
import json
import re

import pytest

from exactly_once.errors import BadInput
from exactly_once.explore import prove
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers import at_least_once
from exactly_once.lockfree import hourly_means
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.trace import Event, Trace
from exactly_once.trace.shiviz import shiviz_text, vector_stamps

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


DEFAULT = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"  # what ShiViz's page takes where a file names no expression


def in_its_own_words(expression):
    """Return an expression as ShiViz rewrites it for JavaScript, and the names of the groups: `js/regexp.js`."""
    expression, names = re.sub(r"\((?!\?[=!<:])", "(?:", expression), []
    while found := re.search(r"\(\?<(\w+?)>.+\)", expression):
        names.append(found[1])
        expression = re.sub(r"\(\?<\w+?>(.+)\)", r"(\1)", expression, count=1)
    return expression, names


def read_as_shiviz_does(text, expression=None):
    """Return (host, clock, event) of each event: first line the expression, second the delimiter, then the log.

    The rules of `js/model/parser.js` and `modelGraph.js` are kept: every host is in its own clock and counts from 1
    by 1, and a clock names no host and no event that is not in the log.
    """
    own, delimiter, log = text.split("\n", 2)
    assert delimiter == ""
    expression, names = in_its_own_words(expression or own)
    found = [dict(zip(names, match.groups(), strict=True)) for match in re.finditer(expression, log.strip())]
    events = [(each["host"], json.loads(each["clock"]), each["event"]) for each in found]
    own = {}
    for host, clock, _ in events:
        own.setdefault(host, []).append(clock[host])
    assert all(sorted(times) == list(range(1, len(times) + 1)) for times in own.values())
    assert all(1 <= time <= len(own[other]) for _, clock, _ in events for other, time in clock.items())
    return events


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
def test_the_clocks_in_the_file_say_what_the_messages_say(trace):
    events = read_as_shiviz_does(shiviz_text(trace))
    assert len(events) == len(trace)
    wanted = causes(trace)
    for (one, (_, early, _)), (two, (_, late, _)) in itertools.combinations(enumerate(events), 2):
        assert all(time <= late.get(host, 0) for host, time in early.items()) == ((one, two) in wanted)
        assert any(time > early.get(host, 0) for host, time in late.items()), "no event comes before an earlier one"


@pytest.mark.parametrize("trace", list(traces()))
def test_the_default_expression_reads_the_log_as_well(trace):
    text = shiviz_text(trace)
    plain = [(host, clock) for host, clock, _ in read_as_shiviz_does(text)]
    default = read_as_shiviz_does(text, DEFAULT)
    assert [(host, clock) for host, clock, _ in default] == plain
    assert [int(event.split()[0]) for _, _, event in default] == [event.stamp for event in trace]


def test_words_that_look_like_a_clock_are_read_as_words():
    text = shiviz_text(Trace([Event("a", "local", 1, "reply", '{"a": 7}'), Event("b", "local", 1, "reply", "x {1}")]))
    for expression in (None, DEFAULT):
        assert [host for host, _, _ in read_as_shiviz_does(text, expression)] == ["a", "b"]


def test_hosts_have_names_without_spaces_and_no_two_have_the_same():
    same = [Event("a b", "local", 1, "x", "one\ntwo"), Event("a-b", "local", 2, "x", "three")]
    assert [(host, event) for host, _, event in read_as_shiviz_does(shiviz_text(Trace(same)))] == [
        ("a-b", "x: one two"),
        ("a-b-2", "x: three"),
    ]


def test_a_receipt_of_nothing_known_stands_alone():
    assert vector_stamps(Trace([Event("output", "receive", 4, "append", "1", message="1.1>")])) == [{"output": 1}]


def test_nonsense_is_refused_in_one_sentence():
    with pytest.raises(BadInput, match="give it the trace of a run"):
        shiviz_text("run")
