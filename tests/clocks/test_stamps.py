"""Clocks: Lamport's rules, and the two theorems about stamps, on random runs of several processes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactly_once.clocks import LamportClock, VectorClock, total_order
from exactly_once.errors import BadInput

# A run: each entry is (process, what), where `what` is None for a local event, "send" for a send, or a number that
# picks one of the messages under way, which this process then receives.
RUNS = st.lists(
    st.tuples(st.integers(0, 3), st.one_of(st.none(), st.just("send"), st.integers(0, 50))), min_size=1, max_size=40
)


def lived(run):
    """Play a run on both kinds of clock. Returns a list of (process, Lamport stamp, vector stamp, direct causes)."""
    lamport = [LamportClock() for _ in range(4)]
    vector = [VectorClock(f"p{process}") for process in range(4)]
    events, under_way, last = [], [], {}
    for process, what in run:
        causes = [last[process]] if process in last else []
        if what is None or (what != "send" and not under_way):
            stamps = lamport[process].local(), vector[process].local()
        elif what == "send":
            stamps = lamport[process].send(), vector[process].send()
            under_way.append((len(events), stamps))
        else:
            sent, (time, row) = under_way.pop(what % len(under_way))
            causes.append(sent)
            stamps = lamport[process].receive(time), vector[process].receive(row)
        last[process] = len(events)
        events.append((process, *stamps, causes))
    return events


def causal_past(events):
    """Return, for each event, the set of events from which a path of causes leads to it: plain reachability."""
    past = []
    for _, _, _, causes in events:
        past.append(set(causes).union(*(past[cause] for cause in causes)) if causes else set())
    return past


def test_lamport_rules():
    clock = LamportClock()
    assert [clock.local(), clock.send(), clock.local()] == [1, 2, 3]
    assert clock.receive(10) == 11, "a receipt jumps past the stamp of the message"
    assert clock.receive(4) == 12, "an old message never turns the clock back"
    assert clock.receive(12) == 13
    assert LamportClock(5).local() == 6


def test_vector_rules():
    one, two = VectorClock("one"), VectorClock("two")
    sent = one.send()
    assert sent == {"one": 1}
    two.local()
    assert two.receive(sent) == {"one": 1, "two": 2}
    one.local()
    assert sent == {"one": 1}, "a stamp under way is a copy, which later ticks do not touch"


@given(RUNS)
def test_a_cause_has_the_smaller_lamport_stamp(run):
    events = lived(run)
    for event, past in zip(events, causal_past(events), strict=True):
        assert all(events[cause][1] < event[1] for cause in past)


@given(RUNS)
def test_total_order_is_total_and_agrees_with_causality(run):
    events = lived(run)
    past = causal_past(events)
    keys = [total_order(stamp, f"p{process}") for process, stamp, _, _ in events]
    assert len(set(keys)) == len(keys), "two events of a run never share a place"
    place = {key: number for number, key in enumerate(sorted(keys))}
    for event, causes in enumerate(past):
        assert all(place[keys[cause]] < place[keys[event]] for cause in causes)


@given(RUNS)
def test_vector_comparison_is_reachability(run):
    events = lived(run)
    past = causal_past(events)
    for a, (_, _, one, _) in enumerate(events):
        for b, (_, _, other, _) in enumerate(events):
            assert all(time <= other.get(name, 0) for name, time in one.items()) == (a == b or a in past[b])


@pytest.mark.parametrize("stamp", [-1, 1.5, "3", None, True, [1], {"one": 1}])
def test_a_bad_lamport_stamp_is_refused_and_does_not_tick(stamp):
    clock = LamportClock(7)
    with pytest.raises(BadInput, match="stamp is"):
        clock.receive(stamp)
    assert clock.time == 7


@pytest.mark.parametrize("time", [-1, 0.5, "now", None, True])
def test_a_clock_starts_at_a_whole_number(time):
    with pytest.raises(BadInput, match="a clock's time is"):
        LamportClock(time)


@pytest.mark.parametrize("stamp", [3, None, [("one", 1)], {"a": 5, "one": -1}, {"a": 5, "one": 1.0}, {"a": True}])
def test_a_bad_vector_stamp_is_refused_and_leaves_the_clock_as_it_was(stamp):
    clock = VectorClock("one")
    clock.local()
    with pytest.raises(BadInput):
        clock.receive(stamp)
    assert clock.times == {"one": 1}


def test_a_vector_clock_has_a_process_that_can_be_looked_up():
    with pytest.raises(BadInput, match="The process of a vector clock is"):
        VectorClock([])
