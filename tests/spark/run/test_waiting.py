"""A life on SQLite stores waits for a message or a lock by trying again, until it is there or the run is stopped."""

import threading
import time

import pytest

from exactly_once.faults import FaultPlan
from exactly_once.node import Program
from exactly_once.node.program import live
from exactly_once.pipeline import Job
from exactly_once.spark.task import world
from exactly_once.spark.task.world import TaskWorld

pytestmark = pytest.mark.not_by_day


class HereWorld(TaskWorld):
    """The world of a task, without a cluster around it."""

    def placement(self):
        return {}


@pytest.fixture
def task(tmp_path):
    here = HereWorld(tmp_path, FaultPlan(), [Program(waits, Job(items=1))])
    here.program.load_inputs(here.stores)
    yield here
    here.close()


def waits(node):
    node.output.push(list(node.receive()))


def locks(node):
    with node.lock("one"):
        node.output.push("in")


def later(folder, *operation):
    """Have another connection carry out an operation in a moment."""

    def work():
        time.sleep(0.2)
        store = folder.store("engine")
        store.do(*operation)
        store.close()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_it_waits_for_a_message(task):
    thread = later(task.folder, "inbox.1", "put", 1, "hello")
    assert live(task, waits) == ("ended", None)
    thread.join()
    assert task.engine.look("output", "log") == [[1, "hello"]]


def test_it_waits_for_a_lock(task):
    task.engine.do("lock.one", "acquire", 7)
    thread = later(task.folder, "lock.one", "release", 7)
    assert live(task, locks) == ("ended", None)
    thread.join()
    assert task.engine.look("output", "log") == ["in"]
    assert task.engine.look("lock.one", "lock") is None


def test_a_lock_of_a_life_that_was_killed_from_outside_is_free(task):
    task.recorder._claim()
    task.engine.do("lock.one", "acquire", 1)
    assert live(task, locks) == ("ended", None)
    assert task.recorder.events()[-1].life == 2


def test_the_stop_flag_ends_the_wait(task):
    task.folder.ask({"stop": True})
    assert live(task, waits) == ("ended", None)
    assert task.engine.look("output", "log") == []
    assert task.recorder.events()[-1].text == "stopped"


@pytest.mark.parametrize(("handler", "wanted"), [(waits, "a message"), (locks, "the lock 'one'")])
def test_so_does_a_limit_of_time(task, handler, wanted, monkeypatch):
    monkeypatch.setattr(world, "WAIT_SECONDS", 0.1)
    task.engine.do("lock.one", "acquire", 7)
    ending, told = live(task, handler)
    assert ending == "raised"
    assert f"waited 0.1 seconds for {wanted}" in told
