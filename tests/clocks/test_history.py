"""Histories: stamps follow causality, vector stamps are causality, and the total order depends on no merge."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactly_once.clocks import Event, History, LamportClock, VectorClock, random_history
from exactly_once.errors import BadInput

from .strategies import by_process, histories, logs, reaches


def event(text):
    """Return an event from "a send m"."""
    process, kind, *message = text.split()
    return Event(process, kind, *message)


def make(*texts):
    return History(map(event, texts))


@given(histories)
def test_a_lamport_stamp_is_one_more_than_the_largest_in_the_causal_past(history):
    for effect, causes in enumerate(reaches(history.events)):
        assert history.lamport[effect] == 1 + max((history.lamport[cause] for cause in causes), default=0)


@given(histories)
def test_comparing_vectors_is_reachability(history):
    past = reaches(history.events)
    for one, other in itertools.product(range(len(history)), repeat=2):
        expected = one in past[other]
        early, late = history.vectors[one], history.vectors[other]
        assert (early != late and all(time <= late.get(name, 0) for name, time in early.items())) == expected
        assert history.happened_before(one, other) == expected
        unordered = one != other and not expected and other not in past[one]
        assert unordered == history.concurrent(one, other)


@given(histories)
def test_the_number_of_concurrent_pairs_is_counted_without_looking_at_them(history):
    past = reaches(history.events)
    pairs = [
        (one, other)
        for one, other in itertools.combinations(range(len(history)), 2)
        if one not in past[other] and other not in past[one]
    ]
    assert history.concurrent_pairs() == len(pairs)


@given(histories)
def test_a_path_is_a_proof(history):
    past = reaches(history.events)
    for one, other in itertools.product(range(len(history)), repeat=2):
        path = history.path(one, other)
        if one == other:
            assert path == [one]
        elif one not in past[other]:
            assert path is None
        else:
            assert (path[0], path[-1]) == (one, other)
            for cause, effect in itertools.pairwise(path):
                direct = history.previous[effect] == cause or history.sender[effect] == cause
                assert direct


@given(logs(), st.randoms(use_true_random=False))
def test_the_total_order_is_the_same_from_any_merge_of_the_logs(events, chance):
    rows = list(by_process(events).values())
    expected = [(event, stamp) for event, stamp in ordered(History(events))]
    chance.shuffle(rows)
    assert ordered(History.merge(rows)) == expected
    interleaved, left = [], [list(row) for row in rows]
    while any(left):
        interleaved.append(chance.choice([row for row in left if row]).pop(0))
    assert ordered(History(interleaved)) == expected


def ordered(history):
    order = history.total_order()
    stamps = [(history.lamport[place], history[place].process) for place in order]
    assert stamps == sorted(stamps)
    assert len(set(stamps)) == len(stamps)
    return [(history[place], history.lamport[place]) for place in order]


@given(logs())
def test_the_clocks_themselves_give_the_same_stamps(events):
    history, lamport, vector, carried = History(events), {}, {}, {}
    for place, event in enumerate(events):
        clock = lamport.setdefault(event.process, LamportClock())
        row = vector.setdefault(event.process, VectorClock(event.process))
        if event.kind == "receive":
            stamps = clock.receive(carried[event.message][0]), row.receive(carried[event.message][1])
        else:
            stamps = getattr(clock, event.kind)(), getattr(row, event.kind)()
        if event.kind == "send":
            carried[event.message] = stamps
        assert stamps == (history.lamport[place], history.vectors[place])


def test_a_receive_may_stand_before_its_send():
    history = make("b receive m", "a local", "a send m")
    assert history.lamport == (3, 1, 2)
    assert history.vectors == ({"a": 2, "b": 1}, {"a": 1}, {"a": 2})
    assert history.path(1, 0) == [1, 2, 0]


def test_what_is_asked_of_an_event():
    history = make("a local", "a send m", "b local", "b receive m")
    assert [history.name(place) for place in range(4)] == ["a.1", "a.2", "b.1", "b.2"]
    assert history.at("b", 2) == 3
    assert [history.relation(2, other) for other in range(4)] == ["concurrent", "concurrent", "same", "before"]
    assert history.relation(3, 0) == "after"
    assert history.why(0) == "a.1 is a local event, its own clock is at 0: 0 + 1 = 1."
    assert history.why(3) == "b.2 receives a message stamped 2, its own clock is at 1: max(1, 2) + 1 = 3."


def test_a_redelivery_or_a_broadcast_is_a_second_arrow():
    again = History([event("a send m"), event("b receive m"), replace(event("b receive m"), redelivery=True)])
    broadcast = make("a send m", "b receive m", "c receive m")
    assert again.arrows == broadcast.arrows == ((0, 1), (0, 2))
    assert (again.relation(1, 2), broadcast.relation(1, 2)) == ("before", "concurrent")


@given(st.integers(1, 5), st.integers(0, 60), st.integers(0, 10**6), st.floats(0, 1))
def test_generated_histories(processes, events, seed, messages):
    history = random_history(processes, events, seed, messages)
    assert len(history) == events
    assert history.events == random_history(processes, events, seed, messages).events


REFUSED = [
    (lambda: make("a send m", "b receive m", "b receive m"), "'m' was received before, at event 2"),
    (lambda: make("a send m", "b send m"), "'m' was sent before, at event 1"),
    (lambda: make("b receive m"), "'m' is received, and nobody sends it"),
    (
        lambda: make("a receive y", "a send x", "b receive x", "b send y"),
        "event 1 (on 'a') → event 2 (on 'a') → event 3",
    ),
    (lambda: make("a receive m", "a send m"), "event 1 (on 'a') → event 2 (on 'a') → event 1 (on 'a')"),
]


def test_what_cannot_have_happened_or_is_not_there_is_refused():
    for ask, words in REFUSED:
        with pytest.raises(BadInput) as why:
            assert ask() is None, words
        assert words in str(why.value)
