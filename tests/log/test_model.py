"""The log against a model of a few lines, in long random runs: the readers' views, and records that must survive."""

import contextlib

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from exactly_once.log import load_log, log_errors, open_log

DAY = 86_400_000  # after so long without a batch, a partition forgets a producer


class Producers(RuleBasedStateMachine):
    """Producers that retry, lose count and come back with new epochs, over three brokers that die, fail over and
    restart, while time goes by; and a list beside them.

    A leader, old or new, knows the last five batches of a producer's epoch for a day after the last of them. After
    that a retry is a new record: idempotence promises no more.
    """

    def __init__(self):
        super().__init__()
        self.now = 0
        self.log = self.opened(lambda **how: open_log("memory:", 3, **how))
        self.log.create_topic("t", replicas=3, min_insync_replicas=1, segment_bytes=150)
        self.records = []  # what the log should hold; its places are the offsets
        self.start = 0
        self.producers = {}  # of each: (epoch, next sequence, batches as (first, values, offset), time of the last)

    def opened(self, opening):
        return opening(clock=lambda: self.now)

    def known(self, who):
        """Return (epoch, next sequence, batches) of what brokers know of a producer; nothing after a day."""
        *known, time = self.producers.get(who, (0, 0, [], None))
        return known if time is not None and self.now - time <= DAY else None

    @rule(count=st.integers(1, 3))
    def append(self, count):
        values = [f"plain {len(self.records) + number}" for number in range(count)]
        assert self.log.append("t", 0, values).offset == len(self.records)
        self.records += values

    @rule(who=st.integers(0, 1), newer=st.integers(-1, 2), skip=st.integers(-1, 1), count=st.integers(1, 3))
    def numbered(self, who, newer, skip, count):
        epoch, following, batches = self.known(who) or (0, 0, [])
        asked = max(0, epoch + newer)
        wanted = following if asked == epoch else 0
        first = max(0, wanted + skip)
        values = [f"{who} {asked} {first + number} of {len(self.records)}" for number in range(count)]
        again = [one for one in batches[-5:] if (one[0], len(one[1])) == (first, count)] if asked == epoch else []
        if self.known(who) and asked < epoch:
            self.refused(log_errors.InvalidProducerEpoch, values, who, asked, first)
        elif self.known(who) and not again and first != wanted:
            self.refused(log_errors.OutOfOrderSequence, values, who, asked, first)
        else:
            receipt = self.log.append("t", 0, values, "all", who, asked, first)
            if again:
                assert (receipt.offset, receipt.duplicate) == (again[0][2], True)
                return
            assert (receipt.offset, receipt.duplicate) == (len(self.records), False)
            batches = [*(batches if asked == epoch else []), (first, values, receipt.offset)]
            self.producers[who] = asked, first + count, batches, self.now
            self.records += values

    def refused(self, error, values, who, epoch, first):
        with pytest.raises(error):
            self.log.append("t", 0, values, "all", who, epoch, first)

    @rule(who=st.integers(0, 1), count=st.integers(2, 6))
    def several(self, who, count):
        for _ in range(count):
            self.numbered(who, 0, 0, 1)

    @rule(who=st.integers(0, 1), back=st.integers(1, 7))
    def retry(self, who, back):
        epoch, _, batches = self.known(who) or (0, 0, [])
        if len(batches) < back:
            return
        first, values, offset = batches[-back]
        if back <= 5:
            receipt = self.log.append("t", 0, values, "all", who, epoch, first)
            assert (receipt.offset, receipt.duplicate) == (offset, True)
        else:
            self.refused(log_errors.OutOfOrderSequence, values, who, epoch, first)

    @rule(who=st.integers(0, 1))
    def a_longer_retry(self, who):
        """What begins as an earlier batch and goes on is no batch that was sent before."""
        epoch, _, batches = self.known(who) or (0, 0, [])
        if batches:
            first, values, _ = batches[-1]
            self.refused(log_errors.OutOfOrderSequence, [*values, "more"], who, epoch, first)

    @rule(data=st.data())
    def delete(self, data):
        before = data.draw(st.integers(self.start, len(self.records)))
        self.log.delete_records("t", 0, before)
        self.start = before

    @rule(revives=st.booleans())
    def fail_over(self, revives):
        leader = self.log.leader("t", 0)
        self.log.kill(leader)
        assert self.log.leader("t", 0) not in (None, leader)
        self.log.revive(leader)
        if revives:
            for broker in range(3):
                self.log.revive(broker)

    @rule()
    def restart(self):
        self.log = self.log.reopened()

    @rule()
    def copied(self):
        self.log = self.opened(lambda **how: load_log(self.log.dump(), **how))

    @rule(ms=st.sampled_from([1, 3_600_000, DAY, DAY + 1]))
    def time_goes_by(self, ms):
        self.now += ms

    @rule(data=st.data(), most=st.integers(1, 4))
    def read_a_part(self, data, most):
        at = data.draw(st.integers(self.start, len(self.records)))
        found = self.log.fetch("t", 0, at, most)
        assert [one.value for one in found] == self.records[at : at + len(found)]
        assert len(found) <= most
        assert found or at == len(self.records), "at least one record, if there is one"

    @invariant()
    def readers_see_the_list(self):
        assert self.log.log_start("t", 0) == self.start
        assert self.log.log_end("t", 0) == self.log.high_watermark("t", 0) == len(self.records)
        found = self.log.fetch("t", 0, self.start)
        assert [(one.offset, one.value) for one in found] == list(enumerate(self.records))[self.start :]
        assert found.next == len(self.records)


class Replicas(RuleBasedStateMachine):
    """Three brokers that die, pause and come back, without unclean elections; each promise is remembered."""

    def __init__(self):
        super().__init__()
        self.log = open_log("memory:", 3, clock=lambda: 0, replication="manual", elections="manual", watch=True)
        self.log.create_topic("t", replicas=3, min_insync_replicas=2, segment_bytes=100)
        self.count = 0
        self.seen = []  # what a reader saw; it may grow, and never change

    @rule(acks=st.sampled_from([0, 1, "all"]), numbered=st.booleans())
    def send(self, acks, numbered):
        self.count += 1
        whom = (7, 0, self.count) if numbered else ()
        with contextlib.suppress(log_errors.LogError):
            self.log.append("t", 0, [self.count], acks, *whom)

    @rule(follower=st.integers(0, 2), rounds=st.integers(1, 3), upto=st.none() | st.integers(0, 6))
    def fetch(self, follower, rounds, upto):
        self.log.replicate("t", 0, follower, rounds, upto)

    @rule(broker=st.integers(0, 2))
    def die(self, broker):
        self.log.kill(broker)

    @rule(broker=st.integers(0, 2))
    def come_back(self, broker):
        self.log.revive(broker)

    @rule()
    def elect(self):
        self.log.elect()

    @precondition(lambda self: self.log.leader("t", 0) is not None)
    @rule(broker=st.integers(0, 2))
    def lag(self, broker):
        if broker != self.log.leader("t", 0) and broker in self.log.isr("t", 0):
            self.log.shrink_isr("t", 0, broker)

    @rule()
    def another_process(self):
        ledger = self.log.ledger
        self.log = self.log.reopened()
        self.log.ledger = ledger

    @rule()
    def settle(self):
        """All come back and catch up: then all replicas are equal, and everything is committed."""
        for broker in range(3):
            self.log.revive(broker)
        self.log.elect()
        self.log.replicate()
        (partition,) = self.log.snapshot()["partitions"]
        assert partition["isr"] == [0, 1, 2]
        assert partition["high_watermark"] == partition["end"]
        first, *others = [[record["value"] for record in replica["records"]] for replica in partition["replicas"]]
        assert all(one == first for one in others)

    @invariant()
    def promises_are_kept(self):
        (partition,) = self.log.snapshot()["partitions"]
        lost = [one for one in partition["promises"] if one["lost"] and one["promise"] == "committed"]
        assert not lost

    @invariant()
    def what_readers_saw_stays(self):
        (partition,) = self.log.snapshot()["partitions"]
        if partition["leader"] is None:
            return
        found = [one.value for one in self.log.fetch("t", 0, 0)]
        both = min(len(found), len(self.seen))
        assert found[:both] == self.seen[:both]
        self.seen = max(found, self.seen, key=len)

    @invariant()
    def equal_places_hold_equal_records(self):
        """One record at most was ever written at an offset in an epoch (the log matching property)."""
        (partition,) = self.log.snapshot()["partitions"]
        there = {}
        for replica in partition["replicas"]:
            offsets = [record["offset"] for record in replica["records"]]
            assert offsets == list(range(replica["start"], replica["end"]))
            assert replica["high_watermark"] <= replica["end"]
            for record in replica["records"]:
                place = record["offset"], record["epoch"]
                assert there.setdefault(place, record["value"]) == record["value"]


BOUNDS = settings(max_examples=40, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck))
TestProducers = Producers.TestCase
TestProducers.settings = settings(BOUNDS, max_examples=80)
TestReplicas = Replicas.TestCase
TestReplicas.settings = BOUNDS
