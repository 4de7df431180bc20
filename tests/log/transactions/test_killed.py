"""A coordinator is killed in the middle of many transactions: nothing is lost, doubled or left open."""

import multiprocessing
import os
import random
import secrets
import signal
import time

import pytest

from exactly_once.log import open_log
from exactly_once.log.transactions.rules import COMPLETE_COMMIT

from . import processes
from .processes import GROUP, INPUT, TOPIC

pytestmark = pytest.mark.not_by_day

SERVER = multiprocessing.get_context("forkserver")  # a process starts at once, also from one that has threads
SERVER.set_forkserver_preload([processes.__name__])
PRODUCERS, PARTITIONS, PATIENCE = 2, 2, 240
LONG = "ein Ordner für ein Log/" * 4  # with what is before it longer than the name of a Unix socket may be
REQUESTS = 4  # to the coordinator in each transaction, at least


def started(function, *arguments):
    process = SERVER.Process(target=function, args=arguments, daemon=True)
    process.start()
    return process


def coordinator_killed(where, address, moments, workers, served):
    """SIGKILL the coordinator's process whenever it has been asked so often, and start another one. Returns kills."""
    kills, coordinator = 0, started(processes.coordinate, where, address, served)
    try:
        for moment in moments:
            wait_for(lambda at=moment: served.value >= at, workers, coordinator)
            if not any(worker.is_alive() for worker in workers):
                break
            os.kill(coordinator.pid, signal.SIGKILL)
            coordinator.join()
            kills += 1
            coordinator = started(processes.coordinate, where, address, served)
        wait_for(lambda: False, workers, coordinator)
    finally:
        coordinator.kill()
        coordinator.join()
    return kills


def wait_for(done, workers, coordinator):
    """Wait until something is so, or all workers are through; not for a coordinator that ended by itself."""
    deadline = time.monotonic() + PATIENCE
    while not done() and any(worker.is_alive() for worker in workers):
        assert coordinator.is_alive(), f"the coordinator ended by itself, with status {coordinator.exitcode}"
        assert time.monotonic() < deadline, "it hangs"
        time.sleep(0.001)


def run(folder, transactions, kills, seed):
    """Run transactions of two producers while their coordinator is killed, and assert that all are there once."""
    where, address = f"sqlite:{folder / LONG}", (SERVER.Value("i", 0), secrets.token_bytes(16))
    with open_log(where, 3) as log:
        log.create_topic(TOPIC, PARTITIONS, replicas=3, min_insync_replicas=2)
        log.create_topic(INPUT, PRODUCERS)
        log.coordinator()
    served = SERVER.Value("q", 0)
    rng, each = random.Random(seed), transactions // PRODUCERS
    moments = sorted(rng.sample(range(1, transactions * REQUESTS), kills))
    workers = [started(processes.transact, where, address, who, each) for who in range(PRODUCERS)]
    try:
        killed = coordinator_killed(where, address, moments, workers, served)
    finally:
        for worker in workers:
            worker.kill()
            worker.join()
    assert [worker.exitcode for worker in workers] == [0] * PRODUCERS
    assert killed >= kills - 1
    with open_log(where) as log:
        for broker in range(3):
            log.revive(broker)
        log.transactions.recover()
        log.write_due_markers()
        assert log.transactions.due() == []
        states = {log.transactions.describe(f"producer {who}").state for who in range(PRODUCERS)}
        assert states == {COMPLETE_COMMIT}
        for partition in range(PARTITIONS):
            seen = log.fetch(TOPIC, partition, 0, max_records=None, isolation="read_committed")
            assert seen.next == log.log_end(TOPIC, partition)  # nothing is open, so nothing is held back
            for who in range(PRODUCERS):
                mine = [record.value for record in seen if record.value[0] == who]
                assert mine == [[who, number, partition] for number in range(each)]
        assert [log.committed_offset(GROUP, INPUT, who) for who in range(PRODUCERS)] == [each] * PRODUCERS


@pytest.mark.timeout(300)
def test_thirty_transactions(tmp_path):
    run(tmp_path, 30, 4, seed=14)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_thousand_transactions(tmp_path):
    run(tmp_path, 1_000, 60, seed=41)
