"""A learner's own handler in the console: a right handler, a handler that raises, and an endless handler."""

import time

import pytest

from exactly_once.sandbox import pool
from exactly_once.widgets.console.model import ConsoleModel


def sound(node):
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, positions = node.read(positions)
        window.push(items)
        node.crash_point("A")
        node.output.push(window.average())
        node.state.save(window)
        node.positions.save(positions)


def endless(node):
    while True:
        pass


def run(model, seconds=20):
    model.do("simulate")
    assert model.wait(seconds)
    return model.state


@pytest.mark.not_by_day
def test_it_is_chosen_and_has_a_row():
    model = ConsoleModel(sound)
    model.do("point", "A")
    state = run(model)
    assert state.verdict.exactly_once
    assert state.verdict.reached
    assert model.matrix()[0][0] == ("own", "sound (mine)")
    model.do("fill")
    assert model.wait(30)
    assert len(model.matrix()[1]) == 55, "five letters of one row more than the strategies have"


@pytest.mark.not_by_day
def test_one_that_never_ends_is_ended_and_said():
    model = ConsoleModel(endless)
    state = run(model)
    assert "had not come to an end" in state.error.message
    assert "endless" in state.error.traceback or "pass" in state.error.traceback
    assert run(ConsoleModel(sound)).verdict.exactly_once, "the console goes on working"


def test_one_that_never_ends_can_be_stopped_at_once():
    model = ConsoleModel(endless)
    model.do("simulate")
    while not any(child.user == model.work.thread for child in pool._children):
        time.sleep(0.01)
    model.do("stop")
    assert model.wait(60)
    assert (model.state.busy, model.state.error) == ("idle", None), "its time was not over"
