"""What a life keeps outside its stores, wherever that is, is its own and dies with it."""

import functools
import importlib
import math
import os
import threading

import pytest

from exactly_once import Job, OutcomeUnknown, prove, simulate
from exactly_once.explore import replay
from exactly_once.sandbox.prove_safely import prove_file

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


def once(view):
    return len(view.outputs) <= 1 or "pushed twice"


def pushes_twice(handler):
    """Check that a handler pushes again after its death. Returns the counterexample."""
    assert prove(handler, items=1, crashes=0, invariant=once).ok
    proof = prove(handler, items=1, crashes=1, invariant=once)
    assert (proof.ok, len(proof.counterexample.schedule)) == (False, 2), "it pushes, dies, and pushes again"
    assert len(simulate(handler, job=Job(items=1)).outcome.outputs) == 1
    return proof.counterexample


@pytest.mark.parametrize(
    "handler",
    [
        in_the_environment, in_a_module, in_a_module_it_imports, in_a_variable_of_the_thread, in_a_cache,
    ],
)  # fmt: skip
def test_memory_dies_with_the_life(handler):
    found = pushes_twice(handler)
    assert replay(found.token, handler).run.outcome == found.run.outcome
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


BESIDE = """
PUSHED = []
count = 0


def counted():
    global count
    count += 1
    return count
"""
HANDLERS = """
import kept_beside_{0}
from kept_beside_{0} import counted


def by_name(node):
    if counted() == 1:
        node.output.push(1)


def by_module(node):
    if not kept_beside_{0}.PUSHED:
        node.output.push(1)
        kept_beside_{0}.PUSHED.append(1)
"""


@pytest.mark.parametrize("name", ["by_name", "by_module"])
def test_memory_in_a_module_of_the_learners_dies_with_the_life(name, tmp_path, monkeypatch):
    (tmp_path / f"kept_beside_{name}.py").write_text(BESIDE)
    (tmp_path / f"handlers_{name}.py").write_text(HANDLERS.format(name))
    monkeypatch.syspath_prepend(tmp_path)
    handler = getattr(importlib.import_module(f"handlers_{name}"), name)

    for _ in range(2):
        found = pushes_twice(handler)
    beside = importlib.import_module(f"kept_beside_{name}")
    assert (beside.PUSHED, beside.count) == ([], 0), "a simulated incarnation changes nothing in this process"
    where = f"{tmp_path / f'handlers_{name}.py'}:{name}"
    assert prove_file(where, items=1, crashes=1).counterexample.schedule == found.schedule
