"""What a life keeps outside its stores is its own and dies with it, or is refused."""

import functools
import importlib
import math
import os
import threading

import pytest

from exactly_once import Job, prove, simulate
from exactly_once.errors import CourseError
from exactly_once.explore import replay
from exactly_once.sandbox.prove_safely import prove_file, prove_safely

PUSHED = "EXACTLY_ONCE_TEST_PUSHED"
of_the_thread = threading.local()


@functools.lru_cache
def double(number):
    return 2 * number


def in_the_environment(node):
    if os.environ.get(PUSHED):
        return
    node.output.push(1)
    os.environ[PUSHED] = "yes"


def in_a_module(node):
    if getattr(math, PUSHED, False):
        return
    node.output.push(1)
    setattr(math, PUSHED, True)


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


@pytest.mark.parametrize("handler", [in_a_variable_of_the_thread, in_a_cache])
def test_memory_dies_with_the_life(handler):
    found = pushes_twice(handler)
    assert replay(found.token, handler).run.outcome == found.run.outcome


@pytest.mark.parametrize("handler", [in_the_environment, in_a_module])
def test_what_would_outlive_an_incarnation_in_this_process_is_refused(handler):
    with pytest.raises(CourseError, match="not deterministic"):
        prove_safely(handler, items=1, crashes=1, invariant=once)
    assert PUSHED not in os.environ
    assert not hasattr(math, PUSHED)


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
