"""Traces: events as lines of a file, Lamport's total order, and what is asked of a trace."""

import pathlib
import tempfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactly_once.errors import BadInput, CourseError
from exactly_once.trace import Event, Trace
from exactly_once.trace.events import KINDS

NUMBERS = st.integers(0, 10**9)
EVENTS = st.builds(
    Event,
    process=st.text(max_size=8),
    kind=st.sampled_from(KINDS),
    stamp=NUMBERS,
    verb=st.text(max_size=8),
    text=st.text(max_size=20),
    life=NUMBERS,
    step=NUMBERS,
    item=st.none() | NUMBERS,
    message=st.none() | st.text(max_size=8),
    line=st.none() | NUMBERS,
    detail=st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=3),
)


@given(EVENTS)
def test_an_event_is_one_line_and_comes_back(event):
    line = event.json()
    assert line.splitlines() == [line]
    assert Event.parse(line) == event


@given(st.lists(EVENTS, max_size=8))
def test_a_trace_is_in_order_and_survives_a_file(events):
    trace = Trace(events)
    assert [(one.stamp, one.process) for one in trace] == sorted((one.stamp, one.process) for one in events)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "trace.jsonl"
        trace.save(path)
        assert list(Trace.load(path)) == list(trace)


@pytest.mark.parametrize(
    "line",
    [
        *("", "{", "[]", "3", "null", '{"process": "incarnation 1"}', '{"nonsense": 1}'),
        '{"process": "p", "kind": "fall", "stamp": 1, "verb": "v", "text": "t"}',
        '{"process": "p", "kind": "local", "stamp": "1", "verb": "v", "text": "t"}',
        '{"process": 3, "kind": "local", "stamp": 1, "verb": "v", "text": "t"}',
    ],
)
def test_what_is_no_event_is_refused(line, tmp_path):
    with pytest.raises(BadInput, match="event"):
        Event.parse(line)
    path = tmp_path / "trace"
    path.write_text(f"{line}\n")
    with pytest.raises(BadInput, match="event"):
        Trace.load(path)


def test_events_with_equal_stamps_are_in_the_order_of_their_process_names():
    events = [Event(name, "local", 4, "v", "t") for name in ("output", "incarnation 2", "state", "incarnation 1")]
    assert [one.process for one in Trace(events)] == ["incarnation 1", "incarnation 2", "output", "state"]


def test_lives_deaths_and_lines():
    def event(life, stamp, verb):
        return Event(f"incarnation {life}", "local", stamp, verb, "", life)

    trace = Trace([event(2, 9, "start"), event(1, 1, "start"), event(1, 4, "dies"), event(2, 12, "push")])
    assert len(trace) == 4
    assert [one.life for one in trace.lives()] == [1, 2]
    assert [one.life for one in trace.deaths()] == [1]
    assert [one.verb for one in trace.of_life(2)] == ["start", "push"]


@pytest.mark.parametrize("path", [None, 3, "", "a\0b"])
def test_a_trace_wants_the_name_of_a_file(path):
    for use in (Trace([]).save, Trace.load):
        with pytest.raises(BadInput, match=r"The file of a trace is .*; give the name of a file"):
            use(path)


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path):
    Trace([Event("incarnation 1", "local", 1, "v", "t")]).save(f"{tmp_path}/trace")
    assert len(Trace.load(f"{tmp_path}/trace")) == 1
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(BadInput, match=r"cannot be read .*Name a file"):
            Trace.load(path)
    for path in (tmp_path / "missing" / "trace", tmp_path):
        with pytest.raises(CourseError, match=r"cannot be written .*Name a file"):
            Trace([]).save(path)


@pytest.mark.parametrize("events", [None, 3, [3], "ab", [None]])
def test_a_trace_is_made_of_events(events):
    with pytest.raises(BadInput, match="A trace is made of events"):
        Trace(events)
    with pytest.raises(BadInput, match="no event"):
        Event.parse(events)


def test_a_trace_of_an_older_version_has_the_new_names():
    line = Event("incarnation 2", "send", 3, "load", "load positions", 2).json()
    assert Event.parse(line.replace("incarnation 2", "life 2")).process == "incarnation 2"
