"""The plain model checker, against systems of which everything is known, and against brute force."""

import math
import random
import threading

import pytest

from exactly_once import CourseError
from exactly_once.exercises.model_checker import Action, Broken, Model, asked, carried_out, copied, explore, frozen
from exactly_once.solutions import library_of


class Counters(Model):
    """So many counters that go up to `top`, one at a time, where the sum must not become `forbidden`."""

    def __init__(self, counters, top, forbidden=None):
        self.counters, self.top, self.forbidden = counters, top, forbidden

    def start(self):
        return (0,) * self.counters

    def actions(self, state):
        for place, count in enumerate(state):
            if count < self.top:
                yield Action(f"Counter {place} goes up", "up", (place,))

    def up(self, state, place):
        after = tuple(count + (place == number) for number, count in enumerate(state))
        return after, f"it is {after[place]}"

    def judge(self, state):
        if sum(state) == self.forbidden:
            raise Broken(f"The sum is {self.forbidden}.")


class Graph(Model):
    """A graph, {place: places behind it}, in which some places must not be reached."""

    def __init__(self, edges, forbidden):
        self.edges, self.forbidden = edges, forbidden

    def start(self):
        return 0

    def actions(self, state):
        return [Action(f"to {place}", "go", (place,)) for place in self.edges[state]]

    def go(self, state, place):
        return place, ""

    def judge(self, state):
        if state in self.forbidden:
            raise Broken(f"{state} is reached.")


class Holds(Model):
    """One state that is kept as bytes of a value."""

    def __init__(self, value):
        self.value = value

    def start(self):
        return copied(self.value)

    def actions(self, state):
        return ()

    def key(self, state):
        return frozen(state)


@pytest.mark.parametrize(("counters", "top"), [(1, 5), (2, 3), (3, 2)])
def test_every_state_is_found_once(counters, top):
    found = explore(Counters(counters, top))
    assert (found.sentence, found.states, found.whole) == ("", (top + 1) ** counters, True)


def test_a_shortest_schedule_comes_first_and_is_told():
    found = explore(Counters(2, 3, forbidden=2))
    assert found.sentence == "The sum is 2."
    assert found.lines == ("Counter 0 goes up: it is 1", "Counter 0 goes up: it is 2")
    assert carried_out(Counters(2, 3, forbidden=2), found.schedule).lines == found.lines


@pytest.mark.parametrize("seed", range(40))
def test_it_finds_what_all_paths_together_show(seed):
    chance = random.Random(seed)
    edges = {place: chance.sample(range(7), chance.randrange(4)) for place in range(7)}
    forbidden = chance.sample(range(1, 7), 2)

    def paths(place, steps):
        if place in forbidden:
            yield steps
        elif steps < 7:
            for behind in edges[place]:
                yield from paths(behind, steps + 1)

    found, brute = explore(Graph(edges, forbidden)), min(paths(0, 0), default=math.inf)
    assert (len(found.steps) if found.sentence else math.inf) == brute

    def step(place, node):
        return edges[place][node] if node < len(edges[place]) else None

    loop = library_of("01-explore")(0, step, (0, 1, 2), lambda place: place not in forbidden)
    assert (math.inf if loop is None else len(loop)) == brute, "it is the loop of chapter 01"


def test_what_is_not_looked_at_is_told():
    found = explore(Counters(2, 9), states=10)
    assert (found.whole, found.states, found.depth) == (False, 10, 3)
    assert not explore(Counters(2, 9), seconds=0).whole


@pytest.mark.parametrize(
    ("value", "words"),
    [(threading.Lock(), "cannot be copied"), (iter("ab"), None), (lambda: 1, "cannot be compared")],
)
def test_what_cannot_be_copied_or_compared_is_refused(value, words):
    if words is None:
        assert explore(Holds(value)).states == 1
        return
    with pytest.raises(CourseError, match=words):
        explore(Holds(value))


def test_equal_values_are_equal_bytes():
    one = [1, 2]
    assert frozen([one, one]) == frozen([[1, 2], [1, 2]])
    assert frozen([one, one]) != frozen([[1, 2], [2, 1]])


def test_what_a_learners_code_raises_is_a_finding():
    class Fails(Counters):
        def up(self, state, place):
            return asked("up()", lambda: [][place]), ""

    found = explore(Fails(1, 1))
    assert found.sentence.startswith("up() fails with IndexError")
    assert found.lines == ("Counter 0 goes up",)
    assert "[][place]" in found.traceback
