"""What a life keeps outside its stores, wherever that is, is its own and dies with it."""

import contextvars
import functools
import math
import os
import threading

import pytest

from exactly_once.errors import OutcomeUnknown
from exactly_once.explore import prove, replay
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate

variable = contextvars.ContextVar("variable", default=0)
of_the_thread = threading.local()


@functools.lru_cache
def double(number):
    return 2 * number


def in_the_environment(node):
    if os.environ.get("EXACTLY_ONCE_TEST_PUSHED"):
        return
    node.output.push(1)
    os.environ["EXACTLY_ONCE_TEST_PUSHED"] = "yes"


def in_a_module(node):
    if getattr(math, "pushed", False):
        return
    node.output.push(1)
    math.pushed = True


def in_a_module_it_imports(node):
    import colorsys

    if hasattr(colorsys, "pushed"):
        return
    node.output.push(1)
    setattr(colorsys, "pushed", True)  # noqa: B010 - as handlers do


def in_a_variable_of_the_context(node):
    if variable.get():
        return
    node.output.push(1)
    variable.set(1)


def in_a_variable_of_the_thread(node):
    if getattr(of_the_thread, "pushed", False):
        return
    node.output.push(1)
    of_the_thread.pushed = True


def in_a_cache(node):
    if double.cache_info().hits:
        return
    node.output.push(double(1))
    double(1)


@pytest.mark.parametrize(
    "handler",
    [
        in_the_environment, in_a_module, in_a_module_it_imports, in_a_variable_of_the_context,
        in_a_variable_of_the_thread, in_a_cache,
    ],
)  # fmt: skip
def test_memory_dies_with_the_life(handler):
    def once(view):
        return len(view.outputs) <= 1 or "pushed twice"

    assert prove(handler, items=1, crashes=0, invariant=once).ok
    proof = prove(handler, items=1, crashes=1, invariant=once)
    assert (proof.ok, len(proof.counterexample.schedule)) == (False, 2), "it pushes, dies, and pushes again"
    assert replay(proof.counterexample.token, handler).run.outcome == proof.counterexample.run.outcome
    run = simulate(handler, job=Job(items=1))
    assert len(run.outcome.outputs) == 1
    assert "EXACTLY_ONCE_TEST_PUSHED" not in os.environ
    assert not hasattr(math, "pushed")


def keeps_its_number(node):
    os.environ["EXACTLY_ONCE_TEST_NUMBER"] = str(node.number)
    math.number = node.number
    try:
        node.positions.load()
    except OutcomeUnknown:
        del os.environ["EXACTLY_ONCE_TEST_NUMBER"]
    node.output.push([node.number, math.number, os.environ.get("EXACTLY_ONCE_TEST_NUMBER", "gone")])


def test_each_life_sees_its_own():
    def own(view):
        return all(number == other and text in (str(number), "gone") for number, other, text in view.outputs)

    assert prove(keeps_its_number, nodes=2, items=1, crashes=1, lost_replies=1, invariant=own).ok
    assert not hasattr(math, "number")
