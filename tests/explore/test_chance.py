"""Chance in a handler is named as such: never in the explorer's own words, whatever it makes of the schedule."""

import random
import time

import pytest

from exactly_once import CourseError, prove
from exactly_once.explore import replay
from exactly_once.simulate import ReplayDiverged


def another_number_of_steps(chance):
    """Return a handler that takes a number of steps that `chance()` gives."""

    def handler(node):
        for _ in range(1 + chance() % 3):
            node.output.push(1)

    return handler


def told(handler, nodes):
    """Return what `prove` complains of, or None."""
    try:
        prove(handler, nodes=nodes, items=1)
    except CourseError as why:
        return str(why)


@pytest.mark.parametrize("chance", [lambda: random.randrange(3), time.perf_counter_ns], ids=["random", "clock"])
@pytest.mark.parametrize("nodes", [1, 2])
def test_a_handler_that_uses_chance_is_told_so(chance, nodes):
    for _ in range(8):
        said = told(another_number_of_steps(chance), nodes)
        assert said is None or said.startswith("The handler is not deterministic")


def test_a_schedule_that_a_handler_does_not_follow():
    calm = []

    def handler(node):
        node.output.push(1)
        if not calm:
            node.output.push(2)
        node.state.save(1)

    found = prove(handler, items=1).counterexample
    calm.append(True)
    with pytest.raises(ReplayDiverged, match="not deterministic"):
        replay(found.token, handler)


def test_chance_that_breaks_nothing_is_found_out_all_the_same():
    def by_chance(node):
        positions = node.positions.load()
        while node.running():
            _, positions = node.read(positions)
            if random.random() < 0.5:
                node.output.push(1)
            node.positions.save(positions)

    for _ in range(8):
        with pytest.raises(CourseError, match="not deterministic"):
            prove(by_chance, items=2, crashes=0)
