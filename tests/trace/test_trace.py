"""Traces: events as lines of a file, Lamport's total order, and what is asked of a trace."""

import pathlib
import tempfile

from hypothesis import given
from hypothesis import strategies as st

from exactly_once.trace import Event, Trace

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
