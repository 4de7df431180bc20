"""The coordinator on a dictionary: each request, in each state, in both protocols."""

import pytest

from exactly_once.errors import BadInput
from exactly_once.log import errors
from exactly_once.log.transactions.coordinator import Coordinator
from exactly_once.log.transactions.rules import LARGEST_EPOCH, LAST_EPOCH, Transaction

BOTH = pytest.mark.parametrize("protocol", [1, 2])


class Kept(dict):
    """A coordinator's log in memory, which counts what is written."""

    def __init__(self, *args):
        super().__init__(*args)
        self.last, self.writes = 0, 0

    def new_producer_id(self):
        self.last += 1
        return self.last

    def __setitem__(self, name, transaction):
        self.writes += 1
        super().__setitem__(name, transaction)


class World:
    """A coordinator, its clock, and markers that are written when somebody says so."""

    def __init__(self, protocol):
        self.now, self.kept = 1_000, Kept()
        self.coordinator = Coordinator(self.kept, lambda: self.now, protocol)

    def settle(self):
        for due in self.coordinator.due():
            self.coordinator.complete(due.transactional_id, due.producer, due.epoch)

    def state(self, name="tx"):
        return self.coordinator.describe(name).state


@pytest.fixture(params=[1, 2])
def world(request):
    return World(request.param)


def opened(world, timeout_ms=60_000):
    producer, epoch = world.coordinator.init_producer("tx", timeout_ms)
    world.coordinator.add_partitions("tx", producer, epoch, ["output-0"])
    return producer, epoch


def test_a_transaction_goes_through_its_states(world):
    producer, epoch = world.coordinator.init_producer("tx")
    assert (epoch, world.state()) == (0, "Empty")
    for result, prepared, complete in (
        ("commit", "PrepareCommit", "CompleteCommit"),
        ("abort", "PrepareAbort", "CompleteAbort"),
    ):
        world.coordinator.add_partitions("tx", producer, epoch, ["output-0"])
        assert world.state() == "Ongoing"
        after = world.coordinator.end("tx", producer, epoch, result)
        assert after == (producer, epoch + (world.coordinator.protocol == 2))
        assert world.state() == prepared
        (due,) = world.coordinator.due()
        assert (due.result, due.partitions, due.epoch) == (result, ("output-0",), after[1])
        world.settle()
        assert (world.state(), world.coordinator.due()) == (complete, [])
        epoch = after[1]


def test_every_request_writes_once_at_most(world):
    producer, epoch = opened(world)
    assert world.kept.writes == 2
    world.coordinator.add_partitions("tx", producer, epoch, ["output-0"])
    assert world.kept.writes == 2
    world.coordinator.end("tx", producer, epoch, "commit")
    assert world.kept.writes == 3
    world.settle()
    world.settle()
    world.coordinator.end("tx", producer, epoch, "commit")  # the answer was lost
    assert world.kept.writes == 4
    opened(world)
    with pytest.raises(errors.ConcurrentTransactions):
        world.coordinator.init_producer("tx")
    assert world.kept.writes == 7


def test_a_new_life_aborts_what_is_open_and_fences_the_old_one(world):
    producer, epoch = opened(world)
    with pytest.raises(errors.ConcurrentTransactions):
        world.coordinator.init_producer("tx")
    assert world.state() == "PrepareAbort"
    with pytest.raises(errors.ConcurrentTransactions):
        world.coordinator.init_producer("tx")
    world.settle()
    assert world.coordinator.init_producer("tx") == (producer, epoch + 2)
    for asks in (
        lambda: world.coordinator.end("tx", producer, epoch, "commit"),
        lambda: world.coordinator.add_partitions("tx", producer, epoch, ["output-0"]),
        lambda: world.coordinator.init_producer("tx", 60_000, producer, epoch),
    ):
        with pytest.raises(errors.ProducerFenced, match="newer instance"):
            asks()


def test_a_transaction_is_aborted_after_its_timeout_and_not_at_it(world):
    producer, epoch = opened(world, 1_000)
    world.now += 1_000
    assert world.coordinator.time_out() == []
    world.now += 1
    assert world.coordinator.time_out() == ["tx"]
    assert world.coordinator.time_out() == []
    world.settle()
    assert world.state() == "CompleteAbort"
    with pytest.raises(errors.ProducerFenced):
        world.coordinator.add_partitions("tx", producer, epoch, ["output-0"])
    with pytest.raises(errors.InvalidTxnState if world.coordinator.protocol == 2 else errors.ProducerFenced):
        world.coordinator.end("tx", producer, epoch, "commit")


def test_epochs_that_are_used_up_give_a_new_producer_id(world):
    world.kept["tx"] = Transaction("tx", 70, LAST_EPOCH, LAST_EPOCH - 1)
    world.coordinator.add_partitions("tx", 70, LAST_EPOCH, ["output-0"])
    after = world.coordinator.end("tx", 70, LAST_EPOCH, "commit")
    (due,) = world.coordinator.due()
    world.settle()
    if world.coordinator.protocol == 1:
        assert (after, due.epoch) == ((70, LAST_EPOCH), LAST_EPOCH)
        producer, epoch = world.coordinator.init_producer("tx")
    else:
        assert due.epoch == LARGEST_EPOCH
        producer, epoch = after
        assert world.coordinator.end("tx", 70, LAST_EPOCH, "commit") == after, "a request sent again"
    assert (producer == 70, epoch) == (False, 0)
    world.coordinator.add_partitions("tx", producer, epoch, ["output-0"])


def test_what_makes_no_sense_is_refused(world):
    for asks in (
        lambda: world.coordinator.init_producer(""),
        lambda: world.coordinator.init_producer("tx", 60_000, 1),
        lambda: world.coordinator.add_partitions("tx", 0, 0, "output-0"),
        lambda: world.coordinator.end("tx", 0, 0, "maybe"),
        lambda: Coordinator(Kept(), lambda: 0, 3),
    ):
        with pytest.raises(BadInput):
            asks()
    for timeout in (0, -1, 900_001):
        with pytest.raises(errors.InvalidTransactionTimeout):
            world.coordinator.init_producer("tx", timeout)
    with pytest.raises(errors.TransactionalIdNotFound):
        world.coordinator.describe("tx")
    with pytest.raises(errors.InvalidPidMapping):
        world.coordinator.end("tx", 0, 0, "commit")
