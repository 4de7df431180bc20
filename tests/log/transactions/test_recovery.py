"""A coordinator dies after each durable append, and one that is made anew from its log goes on; on both storages."""

import contextlib

import pytest

from exactly_once.log import errors, open_log
from exactly_once.log.broker.groups import OFFSETS
from exactly_once.log.log import Log
from exactly_once.log.transactions.rules import ONGOING, PREPARE_ABORT, PREPARE_COMMIT

PARTITIONS = ["output-0", "output-1", f"{OFFSETS}-0"]
APPENDS = 11  # init, add, two records, offsets, prepare, three markers, complete, and one of the next life


class Killed(Exception):
    """The process is dead."""


class Lives:
    """One log, opened again after each death."""

    def __init__(self, where, protocol, monkeypatch):
        self.now, self.where, self.protocol, self.left = 0, where, protocol, None
        self.log = open_log(where, clock=lambda: self.now)
        self.log.create_topic("output", 2)
        self.log.create_topic("input")
        self.coordinator = self.log.coordinator(protocol)
        written = Log._written

        def dying(log, *arguments):
            found = written(log, *arguments)
            if self.left is not None:
                self.left -= 1
                if self.left == 0:
                    raise Killed
            return found

        monkeypatch.setattr(Log, "_written", dying)

    def again(self):
        self.left = None
        if self.where == "memory:":
            self.log = self.log.reopened()
        else:
            self.log.close()
            self.log = open_log(self.where, clock=lambda: self.now)
        self.coordinator = self.log.coordinator()
        self.coordinator.recover()
        assert self.coordinator.protocol == self.protocol

    def work(self, result):
        producer, epoch = self.coordinator.init_producer("tx")
        self.coordinator.add_partitions("tx", producer, epoch, PARTITIONS)
        for number in range(2):
            self.log.append("output", number, ["a", "b"], "all", producer, epoch, 0, True)
        self.log.commit("group", {("input", 0): 7}, producer, epoch)
        self.coordinator.end("tx", producer, epoch, result)
        self.log.write_due_markers()
        self.coordinator.init_producer("tx")

    def seen(self):
        values = [
            [one.value for one in self.log.fetch("output", number, 0, isolation="read_committed")]
            for number in range(2)
        ]
        return values, self.log.committed_offset("group", "input", 0, require_stable=True)


@pytest.fixture(params=["memory:", "sqlite:"])
def where(request, tmp_path):
    return request.param if request.param == "memory:" else f"{request.param}{tmp_path / 'log'}"


ALL, NOTHING = ([["a", "b"], ["a", "b"]], 7), ([[], []], None)


@pytest.mark.parametrize("protocol", [1, 2])
@pytest.mark.parametrize("result", ["commit", "abort"])
@pytest.mark.parametrize("death", range(1, APPENDS + 1))
def test_after_each_durable_append_a_coordinator_can_die(where, protocol, result, death, monkeypatch):
    lives = Lives(where, protocol, monkeypatch)
    lives.left = death
    with contextlib.suppress(Killed):
        lives.work(result)
    assert lives.left == 0, "there are so many durable appends"
    lives.again()
    found = lives.coordinator.describe("tx")
    decided = death >= 6
    assert (found.state in (PREPARE_COMMIT, PREPARE_ABORT)) == (6 <= death <= 9)
    assert (found.state == ONGOING) == (2 <= death <= 5)
    lives.log.write_due_markers()
    assert lives.coordinator.due() == []
    lives.now += 60_001
    assert lives.coordinator.time_out() == (["tx"] if found.state == ONGOING else [])
    lives.log.write_due_markers()
    assert lives.seen() == (ALL if decided and result == "commit" else NOTHING)
    for number in range(2):
        assert lives.log.last_stable("output", number) == lives.log.log_end("output", number), "nothing hangs"
    producer, epoch = lives.coordinator.init_producer("tx")
    lives.coordinator.add_partitions("tx", producer, epoch, ["output-0"])
    lives.log.append("output", 0, ["c"], "all", producer, epoch, 0, True)
    lives.coordinator.end("tx", producer, epoch, "commit")
    lives.log.write_due_markers()
    assert lives.seen()[0][0][-1] == "c"


@pytest.mark.parametrize("protocol", [1, 2])
def test_the_markers_of_a_coordinator_that_was_replaced_are_refused(where, protocol, monkeypatch):
    lives = Lives(where, protocol, monkeypatch)
    producer, epoch = lives.coordinator.init_producer("tx")
    lives.coordinator.add_partitions("tx", producer, epoch, ["output-0"])
    lives.log.append("output", 0, ["a"], "all", producer, epoch, 0, True)
    lives.coordinator.end("tx", producer, epoch, "commit")
    (late,) = lives.coordinator.due()
    lives.again()
    (due,) = lives.coordinator.due()
    assert due._replace(coordinator=late.coordinator) == late
    assert due.coordinator > late.coordinator
    with pytest.raises(errors.NotCoordinator, match="was replaced"):
        lives.coordinator.complete("tx", late.producer, late.epoch, late.coordinator)
    lives.log.write_due_markers()
    with pytest.raises(errors.TransactionCoordinatorFenced):
        lives.log.write_marker(
            "output", 0, late.producer, late.epoch, late.result, late.coordinator, late.rules, acks="all"
        )
    assert lives.log.log_end("output", 0) == 2


@pytest.mark.parametrize("protocol", [1, 2])
def test_a_marker_that_was_lost_with_its_leader_is_written_again(protocol):
    log = open_log("memory:", 3, replication="manual", clock=lambda: 0)
    log.create_topic("output", replicas=3)
    coordinator = log.coordinator(protocol)
    producer, epoch = coordinator.init_producer("tx")
    coordinator.add_partitions("tx", producer, epoch, ["output-0"])
    log.append("output", 0, ["a"], 1, producer, epoch, 0, True)
    log.replicate("output")
    coordinator.end("tx", producer, epoch, "commit")
    assert log.write_due_markers() == []
    assert log.write_due_markers() == [], "it waits, and writes no second marker"
    assert log.log_end("output", 0) == 2
    log.kill(0)
    assert log.log_end("output", 0) == 1
    assert log.write_due_markers() == []
    log.replicate("output")
    assert log.write_due_markers() == ["tx"]
    assert [one.value for one in log.fetch("output", 0, 0, isolation="read_committed")] == ["a"]
    assert log.log_end("output", 0) == 2


def test_two_processes_decide_as_one(tmp_path):
    first, second = (open_log(f"sqlite:{tmp_path / 'log'}", clock=lambda: 0) for _ in range(2))
    first.create_topic("output")
    one, other = first.coordinator(1), second.coordinator()
    assert other.protocol == 1
    lives = [one.init_producer("tx"), other.init_producer("tx"), one.init_producer("tx")]
    assert [epoch for _, epoch in lives] == [0, 1, 2]
    assert len({producer for producer, _ in lives}) == 1
    other.add_partitions("tx", *lives[-1], ["output-0"])
    second.append("output", 0, ["a"], "all", *lives[-1], 0, True)
    one.end("tx", *lives[-1], "commit")
    with pytest.raises(errors.ConcurrentTransactions):
        other.add_partitions("tx", *lives[-1], ["output-0"])
    assert second.write_due_markers() == ["tx"]
    assert first.write_due_markers() == []
    with pytest.raises(errors.InvalidTxnState, match="add the partition first"):
        first.append("output", 0, ["late"], "all", *lives[-1], 1, True)
    first.close()
    second.close()


def test_a_late_marker_of_another_process_ends_no_later_transaction(tmp_path, monkeypatch):
    """In the classic protocol its epoch is that of the next transaction, too: the coordinators' epochs tell."""
    first, second = (open_log(f"sqlite:{tmp_path / 'log'}", clock=lambda: 0) for _ in range(2))
    first.create_topic("output")
    life = first.coordinator(1).init_producer("tx")
    write_marker = second.write_marker

    def slow(*asked):
        monkeypatch.setattr(second, "write_marker", write_marker)
        assert first.write_due_markers() == ["tx"], "before the other one's marker has arrived"
        first.transactions.add_partitions("tx", *life, ["output-0"])
        first.append("output", 0, ["b"], "all", *life, 1, True)
        return write_marker(*asked)

    for owner in (second, first):  # of the coordinator's epoch, until then
        first.transactions.add_partitions("tx", *life, ["output-0"])
        first.append("output", 0, ["a"], "all", *life, 0, True)
        owner.transactions.recover()
        first.transactions.end("tx", *life, "commit")
        monkeypatch.setattr(second, "write_marker", slow)
        assert second.write_due_markers() == []
        read = [record.value for record in first.fetch("output", 0, 0, isolation="read_committed")]
        assert read[-1] == "a", "what the next transaction wrote is not decided"
        first.transactions.end("tx", *life, "abort")
        first.write_due_markers()
        life = first.transactions.init_producer("tx")
    first.close()
    second.close()


def test_the_topic_of_the_coordinator_does_not_grow_with_completed_transactions():
    log = open_log("memory:", clock=lambda: 0)
    coordinator = log.coordinator(2)
    ends = []
    for _ in range(2):
        for _ in range(1_500):
            producer, epoch = coordinator.init_producer("tx")
            coordinator.end("tx", producer, epoch, "abort")
            log.write_due_markers("tx")
        ends.append(len(log.disks[0].headers("__transaction_state-0")))
    assert log.log_end("__transaction_state", 0) == 9_000
    assert max(ends) < 2_000
    assert log.reopened().transactions.describe("tx").epoch == coordinator.describe("tx").epoch
