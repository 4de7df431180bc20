"""Real processes at one queue, one of them stopped by SIGSTOP: who goes on is counted in pushes, not in seconds."""

import psutil
import pytest

from exactly_once import show
from exactly_once.lockfree import contend

PUSHES = 40


def children():
    return {child.pid for child in psutil.Process().children()}


@pytest.fixture(autouse=True)
def nothing_left_behind():
    before = children()
    yield
    assert children() <= before, "stopped or not, each process has ended"


@pytest.mark.parametrize("queue", ["cas", "lock"])
@pytest.mark.parametrize("processes", [1, 4])
def test_each_value_is_in_the_queue_once_whoever_pushes(queue, processes):
    found = contend(queue, processes, pushes=PUSHES)
    assert (found.processes, found.count) == (processes, processes * PUSHES)
    assert all(begun <= ended for pushes in found.pushes for begun, ended in pushes)
    assert (found.still, found.meanwhile, found.goes_on) == (None, None, None)


@pytest.mark.parametrize("processes", [2, 3])
def test_stopped_at_a_step_of_the_lock_free_queue_the_others_go_on(processes):
    found = contend("cas", processes, stopped="step", pushes=PUSHES)
    assert found.goes_on
    assert list(show.contention_table(found)["pushes of the others meanwhile"]) == [str(found.meanwhile)]
    assert found.meanwhile > 0
    assert found.count == processes * PUSHES, "and the first one as well, once it goes on"


@pytest.mark.parametrize(("queue", "stopped"), [("lock", "step"), ("lock", "transaction"), ("cas", "transaction")])
@pytest.mark.some(day=1)
def test_stopped_with_a_lock_everybody_stands_still(queue, stopped):
    found = contend(queue, 3, stopped=stopped, pushes=PUSHES)
    assert found.meanwhile == 0
    assert not found.goes_on
    assert found.count == 3 * PUSHES, "and goes on when the first one does"
    assert "the others made no push at all" in str(found)
