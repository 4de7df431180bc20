"""Leaders that move while a client asks: it looks again, and says so when nobody can know what became of a batch."""

import threading

import pytest

from exactly_once.errors import BadInput, OutcomeUnknown
from exactly_once.log import Consumer, Producer, errors, open_log
from exactly_once.log.broker.replica import Replica

from .opened import values

REPLICATED = {"replicas": 3, "min_insync_replicas": 2}


def interrupted(monkeypatch, method, *deeds):
    """Let something happen right before the first calls of a method of `Replica`: each deed before one call."""
    real, left = getattr(Replica, method), list(deeds)

    def call(self, *arguments, **others):
        if left:
            left.pop(0)()
        return real(self, *arguments, **others)

    monkeypatch.setattr(Replica, method, call)


def refused():
    raise errors.NotLeader("It moved.")


def replicated(opened, **options):
    log = opened(3, **options)
    log.create_topic("t", **REPLICATED)
    log.append("t", 0, ["a"])
    return log


ASKED = [
    lambda log: log.append("t", 0, ["b"]),
    lambda log: Producer(log, idempotent=True).send("t", "b"),
    lambda log: Consumer(log, "t").poll(),
    lambda log: Consumer(log, "t", start="latest"),
    lambda log: Consumer(log, "t", group="g").commit(),
    lambda log: log.committed_offset("g", "t", 0),
    lambda log: log.delete_records("t", 0, 1),
    lambda log: log.high_watermark("t", 0),
]


@pytest.mark.parametrize("ask", ASKED)
def test_a_leader_that_moves_again_and_again_is_looked_up_again(opened, monkeypatch, ask):
    log = replicated(opened)
    log.commit("g", {("t", 0): 0})
    interrupted(monkeypatch, "leading", *[refused] * 4)
    ask(log)
    assert log.leader("t", 0) == 0


def test_a_client_gives_up_after_its_delivery_timeout_and_nothing_was_written(opened, monkeypatch):
    log = replicated(opened, delivery_timeout_ms=20)
    interrupted(monkeypatch, "leading", *[refused] * 1000)
    with pytest.raises(errors.LeaderNotAvailable, match=r"Nobody has led t-0 for 0\.02 seconds.*nothing was done"):
        log.append("t", 0, ["b"])
    with pytest.raises(errors.LeaderNotAvailable):
        Consumer(log, "t").poll()
    monkeypatch.undo()
    assert values(log) == ["a"]
    with pytest.raises(BadInput, match="delivery_timeout_ms is -1"):
        open_log(delivery_timeout_ms=-1)


def test_a_leader_that_died_with_nobody_to_elect_another_is_replaced_by_who_asks(opened):
    """As a process leaves it that is killed while it kills a broker."""
    log = replicated(opened)
    other = log.reopened()
    with log.replica(0, log.topic("t"), 0).changing() as replica:
        replica.resign()
    log.controller.mark(0, "down", True)
    assert other.append("t", 0, ["b"]).epoch == 1
    assert (other.leader("t", 0), values(other)) == (1, ["a", "b"])


@pytest.fixture
def losing(opened, monkeypatch):
    """Give a log whose leader dies between a batch that only it has and its committing."""

    def make(**options):
        log = replicated(opened, **options)
        real, left = type(log).caught_up, [True]

        def caught_up(self, *place):
            if left.pop() if left else False:
                for follower in (1, 2):
                    log.pause(follower)
                log.kill(0)
                log.resume(1)
                log.resume(2)
            real(self, *place)

        monkeypatch.setattr(type(log), "caught_up", caught_up)
        return log

    return make


def test_a_numbered_batch_that_the_old_leader_took_with_it_is_sent_again(losing):
    log = losing()
    producer = log.new_producer_id()
    receipt = log.append("t", 0, ["b"], "all", producer, 0, 0)
    assert (receipt.epoch, receipt.duplicate, receipt.acknowledged) == (1, False, True)
    log.revive(0)
    assert values(log) == ["a", "b"]


def test_of_a_batch_without_number_that_the_old_leader_took_with_it_nobody_knows(losing):
    log = losing()
    with pytest.raises(OutcomeUnknown, match=r"t-0 changed its leader before this batch of 1 records was committed"):
        log.append("t", 0, ["b"])
    log.revive(0)
    assert values(log) == ["a"]


def test_a_record_of_an_older_epoch_at_the_same_offset_is_not_taken_for_the_one_that_was_sent(opened):
    log = opened(3, replication="manual", elections="manual")
    log.create_topic("t", replicas=3)
    log.append("t", 0, ["old"], acks=1)
    log.replicate("t", 0, 2, 1)
    log.kill(0)
    log.elect()
    assert log.leader("t", 0) == 1
    receipt = log.append("t", 0, ["new"])
    log.kill(1)
    log.elect()
    assert log.leader("t", 0) == 2
    log.append("t", 0, ["newest"], acks=1)
    assert values(log) == ["old", "newest"]
    assert not log.committed(receipt)


def test_what_is_lost_without_any_leader_is_unknown_when_the_time_is_up(opened, monkeypatch):
    log = replicated(opened, delivery_timeout_ms=50)
    real, left = type(log).caught_up, [True]

    def caught_up(self, *place):
        if left.pop() if left else False:
            for broker in (1, 2, 0):
                log.kill(broker)
        real(self, *place)

    monkeypatch.setattr(type(log), "caught_up", caught_up)
    producer = log.new_producer_id()
    with pytest.raises(OutcomeUnknown):
        log.append("t", 0, ["b"], "all", producer, 0, 0)


def test_while_brokers_die_at_will_a_client_hears_of_no_leader_that_moved(tmp_path):
    heard, done, started = [], threading.Event(), threading.Event()

    def ask():
        with open_log(tmp_path) as log:
            producer, consumer = Producer(log, idempotent=True), Consumer(log, "t", group="g")
            started.set()
            while not done.is_set():
                try:
                    producer.send("t", len(heard))
                    consumer.poll()
                    consumer.commit()
                except (errors.NotEnoughReplicas, errors.NotEnoughReplicasAfterAppend):
                    producer = Producer(log, idempotent=True)
                except Exception as why:  # noqa: BLE001 - the test fails with it
                    heard.append(why)
                    return

    with open_log(tmp_path, 3) as log:
        log.create_topic("t", **REPLICATED)
        thread = threading.Thread(target=ask)
        thread.start()
        started.wait()
        for number in range(30):
            log.kill(number % 3)
            log.revive(number % 3)
        done.set()
        thread.join()
    assert not heard, repr(heard)
