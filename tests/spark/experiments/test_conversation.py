"""Four processes in conversation: real messages, wrong clocks, and what sorting by each kind of time makes of
them.
"""

import threading
import time

import pytest
from tests.spark.run.waiting import sockets

from exactly_once import owned
from exactly_once.clocks import effects_before_causes, exchange_messages
from exactly_once.errors import CourseError
from exactly_once.paths import temporary
from exactly_once.spark.cluster import processes

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster]


@pytest.fixture(scope="module")
def talks():
    """Conversations that several tests look at."""
    return {}


@pytest.fixture
def talk(talks, four):
    """One conversation."""
    if "one" not in talks:
        talks["one"] = exchange_messages(rounds=15, seed=5, spark=four)
    return talks["one"]


def test_stamps_that_travelled_are_those_that_the_messages_imply(talk):
    assert tuple(talk.table["stamp"]) == talk.history.lamport
    assert set(talk.table["process"]) == {"p1", "p2", "p3", "p4"}
    assert len(talk.history.arrows) == (talk.table["kind"] == "send").sum() > 20


def test_every_process_has_its_own_worker_and_nothing_listens_afterwards(four, talk):
    assert len(workers()) >= 4
    ports = [one for one in connections() if one.status == "LISTEN"]
    assert all(port.laddr.ip.startswith("127.") for port in ports)
    assert [one for one in connections() if one.status == "CLOSE_WAIT"] == []


def test_sorting_by_wrong_clocks_puts_effects_before_causes_and_sorting_by_stamp_does_not(talk):
    messages = len(talk.history.arrows)
    assert len(effects_before_causes(talk.table.sort_values(["stamp", "process"]))) == 0
    assert messages / 4 < len(effects_before_causes(talk.table.sort_values("clock"))) < messages
    assert len(effects_before_causes(talk.table[::-1])) == messages


def workers():
    """Return the cluster's Python workers."""
    return [
        process
        for process in processes.our_processes()
        if processes.DAEMONS.intersection(processes.command_line(process))
    ]


def connections():
    """Return the TCP connections of all workers."""
    return [one for worker in workers() for one in sockets(worker, "tcp")]


def kill_the_first():
    """Wait until the first process of a conversation has told its port, and kill it."""
    while not (told := list(temporary(owned.RUNS).glob("talk-*/port-0"))):
        time.sleep(0.01)
    port = int(told[0].read_text())
    (worker,) = (
        worker
        for worker in workers()
        if port in [one.laddr.port for one in sockets(worker, "tcp") if one.status == "LISTEN"]
    )
    worker.kill()


@pytest.mark.slow
def test_a_process_that_is_killed_is_told_at_once_and_the_next_run_works(four):
    killer = threading.Thread(target=kill_the_first, daemon=True)
    killer.start()
    with pytest.raises(CourseError, match=r"Process p\d gave up: .*(died|hung up|reset|refused)"):
        exchange_messages(rounds=10_000, pace=0.01, patience=100, spark=four)
    killer.join()
    assert exchange_messages(rounds=2, spark=four).history.processes
