"""Traces: events as lines of a file, Lamport's total order, and what is asked of a trace."""

import pathlib
import tempfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactly_once.clocks import LamportClock
from exactly_once.errors import BadInput, CourseError
from exactly_once.trace import Event, FileRecorder, Trace

NUMBERS = st.integers(0, 10**9)
EVENTS = st.builds(
    Event,
    process=st.text(max_size=8),
    kind=st.sampled_from(["local", "send", "receive"]),
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


NO_EVENTS = [
    *("", "{", "[]", "3", "null", '{"process": "incarnation 1"}', '{"nonsense": 1}'),
    '{"process": "p", "kind": "fall", "stamp": 1, "verb": "v", "text": "t"}',
    '{"process": "p", "kind": "local", "stamp": "1", "verb": "v", "text": "t"}',
    '{"process": 3, "kind": "local", "stamp": 1, "verb": "v", "text": "t"}',
]


def test_what_is_no_event_no_trace_or_no_file_is_refused(tmp_path):
    for line in NO_EVENTS:
        (tmp_path / "trace").write_text(f"{line}\n")
        for read in (lambda line=line: Event.parse(line), lambda: Trace.load(tmp_path / "trace")):
            with pytest.raises(BadInput, match="event"):
                read()
    for events in (None, 3, [3], "ab", [None]):
        with pytest.raises(BadInput, match="A trace is made of events"):
            Trace(events)
    for path in (None, 3, "", "a\0b"):
        for use in (Trace([]).save, Trace.load):
            with pytest.raises(BadInput, match=r"The file of a trace is .*; give the name of a file"):
                use(path)
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(BadInput, match=r"cannot be read .*Name a file"):
            Trace.load(path)
    for path in (tmp_path / "missing" / "trace", tmp_path):
        with pytest.raises(CourseError, match=r"cannot be written .*Name a file"):
            Trace([]).save(path)
    with pytest.raises(CourseError, match=r"nowhere.*choose a folder that you may write"):
        FileRecorder(tmp_path / "nowhere").begin(LamportClock())
