"""A coordinator dies before and after each durable append, and one that is made anew from its log goes on; on both
storages.
"""

import pytest

from exactly_once.log import log_errors, open_log
from exactly_once.log.transactions.rules import ONGOING, PREPARE_ABORT, PREPARE_COMMIT

PARTITIONS = ["output-0", "output-1", "__consumer_offsets-0"]


class Killed(Exception):
    """The process is dead."""


class Lives:
    """One log, opened again after each death. A life looks at its clock before each durable append, and dies at the
    look `left`.
    """

    def __init__(self, where, protocol, left=None):
        self.now, self.where, self.protocol, self.left = 0, where, protocol, None
        self.log = open_log(where, clock=self.clock)
        self.log.create_topic("output", 2)
        self.log.create_topic("input")
        self.coordinator = self.log.coordinator(protocol)
        self.left = left

    def clock(self):
        if self.left is not None:
            self.left -= 1
            if self.left == 0:
                raise Killed
        return self.now

    def again(self):
        self.left = None
        if self.where == "memory:":
            self.log = self.log.reopened()
        else:
            self.log.close()
            self.log = open_log(self.where, clock=self.clock)
        self.coordinator = self.log.coordinator()
        self.coordinator.recover()
        assert self.coordinator.protocol == self.protocol

    def work(self, result):
        """Yield after each request that was answered, with its name."""
        producer, epoch = self.coordinator.init_producer("tx")
        self.coordinator.add_partitions("tx", producer, epoch, PARTITIONS)
        yield "added"
        for number in range(2):
            self.log.append("output", number, ["a", "b"], "all", producer, epoch, 0, True)
        self.log.commit("group", {("input", 0): 7}, producer, epoch)
        self.coordinator.end("tx", producer, epoch, result)
        yield "decided"
        self.log.write_due_markers()
        yield "marked"
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
def test_at_each_look_at_the_clock_a_coordinator_can_die(where, protocol, result):
    left, states = 1, []
    while True:
        lives = Lives(f"{where}{left}" if where != "memory:" else where, protocol, left)
        answered = []
        try:
            answered.extend(lives.work(result))
        except Killed:
            states.append(goes_on(lives, result, answered))
            left += 1
        else:
            break
    assert [state for number, state in enumerate(states) if state != states[number - 1]] == [
        None,
        "Empty",
        ONGOING,
        PREPARE_COMMIT if result == "commit" else PREPARE_ABORT,
        "CompleteCommit" if result == "commit" else "CompleteAbort",
    ]
    assert left > 15, "there are so many looks at least: one or two before each of eleven durable appends"


def goes_on(lives, result, answered):
    """Check that the next life of the coordinator ends what is open or decided. Returns the state that it found."""
    lives.again()
    try:
        state = lives.coordinator.describe("tx").state
    except log_errors.TransactionalIdNotFound:
        state = None
    decided = state not in (None, "Empty", ONGOING)
    assert state is not None or not answered
    assert decided or "decided" not in answered
    lives.log.write_due_markers()
    assert lives.coordinator.due() == []
    lives.now += 60_001
    assert lives.coordinator.time_out() == (["tx"] if state == ONGOING else [])
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
    lives.log.close()
    return state


@pytest.mark.parametrize("protocol", [1, 2])
def test_the_markers_of_a_coordinator_that_was_replaced_are_refused(where, protocol):
    lives = Lives(where, protocol)
    producer, epoch = lives.coordinator.init_producer("tx")
    lives.coordinator.add_partitions("tx", producer, epoch, ["output-0"])
    lives.log.append("output", 0, ["a"], "all", producer, epoch, 0, True)
    lives.coordinator.end("tx", producer, epoch, "commit")
    (late,) = lives.coordinator.due()
    lives.again()
    (due,) = lives.coordinator.due()
    assert due._replace(coordinator=late.coordinator) == late
    assert due.coordinator > late.coordinator
    with pytest.raises(log_errors.NotCoordinator, match="was replaced"):
        lives.coordinator.complete("tx", late.producer, late.epoch, late.coordinator)
    lives.log.write_due_markers()
    with pytest.raises(log_errors.TransactionCoordinatorFenced):
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
