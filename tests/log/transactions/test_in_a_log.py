"""What the coordinator does from time to time, and where it is; on both storages, in both protocols."""

import pytest

from exactly_once.log import log_errors as log_errors

from ..opened import values


@pytest.fixture(params=[1, 2])
def log(opened, request):
    log = opened(1)
    log.create_topic("output", 2)
    log.coordinator(request.param)
    return log


def begun(log, *partitions, timeout_ms=60_000):
    producer, epoch = log.transactions.init_producer("tx", timeout_ms)
    log.transactions.add_partitions("tx", producer, epoch, partitions or ["output-0"])
    return producer, epoch


def send(log, life, value, sequence=0, partition=0):
    return log.append("output", partition, [value], "all", *life, sequence, True)


def test_what_kafka_does_every_ten_seconds_is_done_when_it_is_told(log, clock):
    life = begun(log, timeout_ms=1000)
    send(log, life, "a")
    clock.now += 1000
    assert log.tend_transactions() == []
    clock.now += 1
    assert log.tend_transactions() == ["tx"]
    assert log.transactions.describe("tx").state == "CompleteAbort"
    clock.now += 604_800_000
    assert log.tend_transactions() == []
    for number in range(250):  # the segment with the tombstone is closed by it
        log.transactions.init_producer(f"{number}")
    clock.now += 1
    with pytest.raises(log_errors.TransactionalIdNotFound):
        log.transactions.describe("tx")
    with pytest.raises(log_errors.InvalidPidMapping, match="not used for so long"):
        log.transactions.add_partitions("tx", *life, ["output-0"])
    log.compact("__transaction_state", 0, tombstone_ms=0)
    again = log.reopened()
    with pytest.raises(log_errors.InvalidPidMapping):
        send(again, life, "nobody knows me", partition=1)
    assert again.transactions.init_producer("tx")[1] == 0


def test_the_coordinator_moves_with_its_leader(opened):
    log = opened(3)
    log.create_topic("output", replicas=3)
    coordinator = log.coordinator(2)
    life = begun(log)
    send(log, life, "a")
    log.transactions.end("tx", *life, "commit")
    before = coordinator.epoch
    log.kill(log.leader("__transaction_state", 0))
    (due,) = coordinator.due()
    assert due.coordinator > before
    assert log.write_due_markers() == ["tx"]
    assert values(log, "output", isolation="read_committed") == ["a"]
