"""The log's coordinator in both protocols: what it writes, and what follows upon the last epoch."""

import pytest

from exactly_once.log import open_log
from exactly_once.log.transactions.rules import LARGEST_EPOCH, LAST_EPOCH, Transaction


@pytest.fixture(params=[1, 2])
def log(request, clock):
    log = open_log("memory:", clock=clock)
    log.create_topic("output")
    log.coordinator(request.param)
    return log


def opened(log):
    producer, epoch = log.transactions.init_producer("tx")
    log.transactions.add_partitions("tx", producer, epoch, ["output-0"])
    return producer, epoch


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
