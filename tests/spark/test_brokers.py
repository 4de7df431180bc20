"""The leader of three broker processes killed by SIGKILL, with a producer on the cluster, and what that leaves."""

import threading
import time

import psutil
import pytest

from exactly_once.errors import BadInput, CourseError
from exactly_once.log.network.client import ACKNOWLEDGED
from exactly_once.owned import RUNS
from exactly_once.paths import temporary
from exactly_once.spark import brokers
from exactly_once.spark.brokers import kill_the_leader, send_records
from exactly_once.spark.cluster.processes import command_line, is_running

ALL = tuple(range(1, 31))


class Thread:
    """What takes a Spark task's place: the producer in a thread of this process."""

    def __init__(self, _, inputs, work=send_records):
        self.found, self.cancelled = [], False
        self._thread = threading.Thread(target=lambda: self.found.extend(work(inputs)), daemon=True)
        self._thread.start()

    def join(self, seconds):
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def result(self):
        return self.found

    def cancel(self):
        self.cancelled = True


@pytest.fixture
def in_threads(monkeypatch):
    """Let the producer be a thread, so that no cluster is needed."""
    monkeypatch.setattr(brokers, "with_slots", lambda spark, _: spark)
    monkeypatch.setattr(brokers, "only_here", lambda spark, _: None)
    monkeypatch.setattr(brokers, "SparkTask", Thread)


def folders():
    return set(temporary(RUNS).glob("brokers-*"))


@pytest.mark.not_by_day
@pytest.mark.cluster
@pytest.mark.parametrize("acks", [1, "all"])
def test_acks_1_loses_what_was_acknowledged_and_all_does_not(spark, acks):
    before = folders()
    run = kill_the_leader(acks, records=30, at=12, spark=spark)
    assert run.acknowledged == ALL
    assert run.lost == run.missing == ((12,) if acks == 1 else ())
    assert run.doubled == ()
    assert run.readable == run.logs[1] == run.logs[2] == tuple(one for one in ALL if one not in run.lost)
    assert run.logs[0] == ALL[:12], "the dead leader's own file has record 12"
    assert run.came_back == run.readable, "and gives it up when it comes back"
    assert (run.leader_before, run.leader_after) == (0, 1)
    assert run.leaderless > 0.2
    assert len(set(run.pids.values())) == 4
    assert not any(psutil.pid_exists(pid) for who, pid in run.pids.items() if who != "producer")
    assert folders() == before


@pytest.mark.not_by_day
@pytest.mark.parametrize(("idempotent", "doubled"), [(False, (12,)), (True, ())])
def test_a_leader_that_dies_before_it_answers_doubles_what_is_not_numbered(in_threads, idempotent, doubled):
    run = kill_the_leader("all", 30, 12, "replicated", idempotent)
    assert (run.lost, run.missing, run.doubled) == ((), (), doubled)
    assert [one.number for one in run.attempts if one.duplicate] == ([12] if idempotent else [])
    assert run.acknowledged == ALL


def test_without_answer_nothing_is_promised_and_what_was_under_way_is_gone(in_threads):
    run = kill_the_leader(0, 30, 12)
    assert (run.acknowledged, run.lost) == ((), ())
    assert 12 in run.missing
    assert run.missing == tuple(range(12, 12 + len(run.missing)))
    assert run.readable == run.came_back == tuple(one for one in ALL if one not in run.missing)


@pytest.mark.some(day=1)
@pytest.mark.parametrize("acks", [1, "all"])
def test_killed_anywhere_the_counts_agree_with_what_was_acknowledged(in_threads, acks):
    run = kill_the_leader(acks, 30, 12, "anywhere")
    assert set(run.acknowledged) - set(run.readable) == set(run.lost)
    assert run.acknowledged == ALL, "the producer sends again what was not acknowledged"
    if acks == "all":
        assert run.lost == ()
    else:
        assert set(run.lost) <= set(run.logs[0])
    assert set(run.doubled) <= {one.number for one in run.attempts if one.what != ACKNOWLEDGED}


def test_what_happened_is_told_in_order(in_threads):
    run = kill_the_leader(1, 3, 2)
    told = [(one.who, one.text) for one in run.timeline]
    wanted = [
        ("broker 0", "leads, in epoch 0"),
        ("producer", "has broker 0's answer: record 1 is at offset 0"),
        ("broker 0", "dies by SIGKILL"),
        ("controller", "has heard nothing from broker 0 for 0.45 s"),
        ("controller", "elects broker 1; in sync are [1, 2]"),
        ("broker 1", "leads, in epoch 1"),
        ("producer", "has broker 1's answer: record 3 is at offset 1"),
        ("broker 0", "cuts its log back from offset 2 to 1, where the leader's begins to differ"),
        ("controller", "in sync are [0, 1, 2]"),
    ]
    assert [one for one in told if one in wanted] == wanted
    assert ("producer", "has broker 0's answer: record 2 is at offset 1") in told, "before the death, or after it"
    assert [one.seconds for one in run.timeline] == sorted(one.seconds for one in run.timeline)
    assert str(run).startswith(
        "acks=1: 3 records sent, 3 acknowledged, 2 to be read. Acknowledged and lost: 1 (2); missing in all: 1 (2); "
        f"there twice: 0. Broker 0 led and was killed, broker 1 leads; nobody led for {run.leaderless:.2f} s."
    )


@pytest.mark.some(day=1)
@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"acks": 2}, "acks is 2"),
        ({"at": 0}, "at is 0"),
        ({"records": 5}, "at is 20"),
        ({"moment": "later"}, "moment is 'later'; it can be appended, replicated, anywhere"),
        ({"acks": 1, "idempotent": True}, "An idempotent producer needs acks='all', and it is 1"),
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused(settings, why):
    with pytest.raises(BadInput, match=why):
        kill_the_leader(**settings)


def test_a_producer_that_hangs_is_given_up_and_no_broker_is_left(in_threads, monkeypatch):
    goes_on, seen = threading.Event(), {}

    class Hangs(Thread):
        def __init__(self, _, inputs, __):
            seen["task"] = self
            seen["brokers"] = [
                one for one in psutil.Process().children() if "exactly_once.log.network.broker" in command_line(one)
            ]
            super().__init__(_, inputs, lambda _: [goes_on.wait()])

    monkeypatch.setattr(brokers, "SparkTask", Hangs)
    before = folders()
    with pytest.raises(CourseError, match=r"The producer was not through with record 1 within 0.3 seconds"):
        kill_the_leader(patience=0.3)
    goes_on.set()
    assert seen["task"].cancelled
    assert len(seen["brokers"]) == 3
    assert not any(map(is_running, seen["brokers"]))
    assert folders() == before


def test_brokers_that_do_not_start_are_given_up(in_threads, monkeypatch):
    monkeypatch.setattr(brokers, "START_SECONDS", 0.0)
    began = time.monotonic()
    with pytest.raises(CourseError, match="The brokers' processes did not get ready within 0 seconds"):
        kill_the_leader()
    assert time.monotonic() - began < 20


def test_a_producer_whose_process_was_killed_is_not_taken_for_the_first(in_threads, monkeypatch):
    class Again(Thread):
        def __init__(self, _, inputs, work):
            brokers.RunFolder(inputs[0][0]).create("producer")
            super().__init__(_, inputs, work)

    monkeypatch.setattr(brokers, "SparkTask", Again)
    with pytest.raises(CourseError, match="The producer's process was killed from outside"):
        kill_the_leader()
