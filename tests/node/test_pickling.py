"""Handlers travel by value, wherever they were defined."""

import functools
import importlib
import sys

import pytest

from exactly_once.errors import BadInput
from exactly_once.faults import FaultPlan
from exactly_once.handlers import at_least_once
from exactly_once.node.pickling import pickle_handler, unpickle_handler
from exactly_once.pipeline import Job
from exactly_once.sandbox.pool import sandboxed
from exactly_once.simulate import simulate

SOURCE = """
seen = []

def handler(node, weight=1):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        seen.append(items[0].hour)
        node.output.push(len(seen) * weight)
        node.crash_point("A")
        node.positions.save(positions)
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A learner's own module, beside the notebook."""
    (tmp_path / "my_own_handlers.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("my_own_handlers")
    del sys.modules["my_own_handlers"]


def outputs(run):
    return [int(text) for text in run.outcome.outputs]


def test_a_learners_module_dies_with_each_life_and_is_not_touched(module):
    run = simulate(module.handler, FaultPlan.crash("A", 2), Job(items=3))
    assert outputs(run) == [1, 2, 1, 2]
    assert module.seen == []


def test_so_does_a_partial_of_it(module):
    run = simulate(functools.partial(module.handler, weight=10), FaultPlan.crash("A", 2), Job(items=3))
    assert outputs(run) == [10, 20, 10, 20]


def test_a_class_dies_with_each_life_and_is_not_touched():
    class Handler:
        seen = 0

        def __call__(self, node):
            positions = node.positions.load()
            while node.running():
                _, positions = node.read(positions)
                Handler.seen += 1
                node.output.push(Handler.seen)
                node.crash_point("A")
                node.positions.save(positions)

    run = simulate(Handler(), FaultPlan.crash("A", 2), Job(items=3))
    assert outputs(run) == [1, 2, 1, 2]
    assert Handler.seen == 0


def test_the_sandbox_needs_no_path_to_it(module):
    assert outputs(sandboxed(module.handler, FaultPlan.crash("A", 2), Job(items=3)).run) == [1, 2, 1, 2]


def test_the_librarys_own_handlers_stay_what_they_are():
    assert unpickle_handler(pickle_handler(at_least_once)) is at_least_once


def test_what_cannot_travel_is_refused_in_a_sentence(tmp_path):
    with (tmp_path / "open.txt").open("w") as file:

        def handler(node):
            file.write("x")

        with pytest.raises(BadInput, match="'handler' holds something that cannot travel"):
            simulate(handler)
