"""The log's coordinator: each request, in each state, in both protocols."""

import pytest

from exactly_once.log import errors, open_log
from exactly_once.log.transactions.rules import LARGEST_EPOCH, LAST_EPOCH, Transaction


@pytest.fixture(params=[1, 2])
def log(request, clock):
    log = open_log("memory:", clock=clock)
    log.create_topic("output")
    log.coordinator(request.param)
    return log


def opened(log, timeout_ms=60_000):
    producer, epoch = log.transactions.init_producer("tx", timeout_ms)
    log.transactions.add_partitions("tx", producer, epoch, ["output-0"])
    return producer, epoch


def state(log):
    return log.transactions.describe("tx").state


def test_a_transaction_goes_through_its_states(log):
    coordinator = log.transactions
    producer, epoch = coordinator.init_producer("tx")
    assert (epoch, state(log)) == (0, "Empty")
    for result, prepared, complete in (
        ("commit", "PrepareCommit", "CompleteCommit"),
        ("abort", "PrepareAbort", "CompleteAbort"),
    ):
        coordinator.add_partitions("tx", producer, epoch, ["output-0"])
        assert state(log) == "Ongoing"
        after = coordinator.end("tx", producer, epoch, result)
        assert after == (producer, epoch + (coordinator.protocol == 2))
        assert state(log) == prepared
        (due,) = coordinator.due()
        assert (due.result, due.partitions, due.epoch) == (result, ("output-0",), after[1])
        log.write_due_markers()
        assert (state(log), coordinator.due()) == (complete, [])
        epoch = after[1]


def test_every_request_writes_once_at_most(log):
    def writes():
        return log.log_end("__transaction_state", 0)

    coordinator = log.transactions
    producer, epoch = opened(log)
    assert writes() == 2
    coordinator.add_partitions("tx", producer, epoch, ["output-0"])
    assert writes() == 2
    coordinator.end("tx", producer, epoch, "commit")
    assert writes() == 3
    log.write_due_markers()
    log.write_due_markers()
    coordinator.end("tx", producer, epoch, "commit")  # the answer was lost
    assert writes() == 4
    opened(log)
    with pytest.raises(errors.ConcurrentTransactions):
        coordinator.init_producer("tx")
    assert writes() == 7


def test_a_new_life_aborts_what_is_open_and_fences_the_old_one(log):
    coordinator = log.transactions
    producer, epoch = opened(log)
    for _ in range(2):
        with pytest.raises(errors.ConcurrentTransactions):
            coordinator.init_producer("tx")
        assert state(log) == "PrepareAbort"
    log.write_due_markers()
    assert coordinator.init_producer("tx") == (producer, epoch + 2)
    for asks in (
        lambda: coordinator.end("tx", producer, epoch, "commit"),
        lambda: coordinator.add_partitions("tx", producer, epoch, ["output-0"]),
        lambda: coordinator.init_producer("tx", 60_000, producer, epoch),
    ):
        with pytest.raises(errors.ProducerFenced, match="newer instance"):
            asks()


def test_a_transaction_is_aborted_after_its_timeout_and_not_at_it(log, clock):
    producer, epoch = opened(log, 1_000)
    clock.now += 1_000
    assert log.transactions.time_out() == []
    clock.now += 1
    assert log.tend_transactions() == ["tx"]
    assert log.tend_transactions() == []
    assert state(log) == "CompleteAbort"
    with pytest.raises(errors.ProducerFenced):
        log.transactions.add_partitions("tx", producer, epoch, ["output-0"])
    with pytest.raises(errors.InvalidTxnState if log.transactions.protocol == 2 else errors.ProducerFenced):
        log.transactions.end("tx", producer, epoch, "commit")


def test_epochs_that_are_used_up_give_a_new_producer_id(log):
    coordinator, old = log.transactions, log.new_producer_id()
    coordinator.kept["tx"] = Transaction("tx", old, LAST_EPOCH, LAST_EPOCH - 1)
    coordinator.add_partitions("tx", old, LAST_EPOCH, ["output-0"])
    after = coordinator.end("tx", old, LAST_EPOCH, "commit")
    (due,) = coordinator.due()
    log.write_due_markers()
    if coordinator.protocol == 1:
        assert (after, due.epoch) == ((old, LAST_EPOCH), LAST_EPOCH)
        producer, epoch = coordinator.init_producer("tx")
    else:
        assert due.epoch == LARGEST_EPOCH
        producer, epoch = after
        assert coordinator.end("tx", old, LAST_EPOCH, "commit") == after, "a request sent again"
    assert (producer == old, epoch) == (False, 0)
    coordinator.add_partitions("tx", producer, epoch, ["output-0"])
