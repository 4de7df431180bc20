"""All places of a run where a fault can strike: each is there, none twice, and a plan reaches every one of them."""

import itertools

import pytest

from exactly_once import FaultPlan, Job, simulate
from exactly_once.handlers import at_least_once, at_most_once, offset_in_sink, two_phase
from exactly_once.simulate.places import places


def test_a_crash_can_come_before_and_after_each_step():
    found = places(at_least_once)["crash"]
    steps = [event.step for event in simulate(at_least_once).trace.of_life(1) if event.kind == "send"]
    assert [(place.step, place.kind) for place in found] == [
        (step, kind) for step in steps for kind in ("crash before", "crash after")
    ]
    assert len(found) == 60


def test_each_has_its_words_its_line_and_its_letter():
    found = {place.words: place for place in places(at_least_once)["crash"]}
    assert found["after push of hour 3"].point == "B"
    assert found["after push of hour 3"].plan() == FaultPlan.crash("B", 3)
    assert found["after push of hour 1"].point == "C", "the pass of hour 1 does not go through B"
    assert found["before increment of hour 3"].point == ""
    assert found["before increment of hour 3"].line == 13
    assert found["after push of hour 3"].line == 12
    assert found["before load of positions at the start"].item is None


def test_letters_without_a_step_between_them_have_a_place_each():
    found = [place for place in places(offset_in_sink, None, 1)["crash"] if place.point_item == 3]
    assert [(place.point, place.words) for place in found] == [
        ("A", "after read of hour 3"),
        ("B", "at B of hour 3"),
        ("C", "at C of hour 3"),
        ("D", "before commit of hour 3"),
        ("E", "after commit of hour 3"),
    ]
    found = [place for place in places(two_phase)["crash"] if place.point_item == 3]
    assert "".join(place.point for place in found) == "ABCDE"


def test_each_node_has_places_of_its_own():
    found = {place.words: place for place in places(offset_in_sink, None, 2)["crash"]}
    assert found["before transact of hour 3"].plan().faults[0].node == 2
    assert found["at A of hour 4"].plan() == FaultPlan.crash("A", 4, node=2)
    assert found["after transact of hour 4"].plan() == FaultPlan.crash("E", 4, node=2)
    assert not any(place.words.endswith("hour 2") for place in found.values()), "no message is of hour 2"


@pytest.mark.parametrize(
    ("handler", "node"),
    [(at_least_once, None), (at_most_once, None), (two_phase, None), (offset_in_sink, 1), (offset_in_sink, 2)],
)
def test_a_plan_reaches_every_place(handler, node):
    job = Job(items=3)
    for place in itertools.chain(*places(handler, job, node).values()):
        run = simulate(handler, place.plan(), job)
        assert run.reached, place.words
        death = next((event for event in run.trace if event.verb in ("dies", "fault")), None)
        assert death.line == place.line, place.words


def test_a_step_that_comes_twice_in_an_hour_is_named_once():
    def twice(node):
        positions = node.positions.load()
        while node.running():
            items, positions = node.read(positions)
            node.output.push(len(items))
            node.output.push(len(items))

    found = places(twice, Job(items=2))["crash"]
    assert [place.words for place in found].count("after push of hour 1") == 1
