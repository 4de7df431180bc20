"""Transactions against a model of a few lines, in long random runs: zombies, restarts, held markers, timeouts."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from exactly_once.log import load_log, log_errors, open_log

TOPIC, OFFSETS = "__transaction_state", "__consumer_offsets"
OPEN, DECIDED, ENDED = "open", "decided", "ended"
NAMES = "first", "second"
TIMEOUT_MS = 60_000
REFUSED = (
    log_errors.ProducerFenced,
    log_errors.InvalidProducerEpoch,
    log_errors.InvalidTxnState,
    log_errors.InvalidPidMapping,
    log_errors.ConcurrentTransactions,
    log_errors.NotEnoughReplicas,
)


class Life:
    """A producer as it knows itself; `open` is its transaction."""

    def __init__(self, name, producer, epoch):
        self.name, self.producer, self.epoch, self.next, self.open, self.last = name, producer, epoch, {}, None, None
        self.taken = None  # what was open when it was fenced


class Transaction:
    """What the model knows of one: whether it is open, decided or ended, and how."""

    def __init__(self):
        self.state, self.result, self.since, self.places = OPEN, None, None, set()


class Transactions(RuleBasedStateMachine):
    """Two transactional ids, two partitions, one group's offsets; each record is kept with its transaction."""

    @initialize(protocol=st.sampled_from([1, 2]))
    def begin(self, protocol):
        self.now, self.protocol, self.held = 0, protocol, False
        self.log = self.opened(lambda **how: open_log("memory:", **how))
        self.log.create_topic("output", 2, segment_bytes=200)
        self.log.create_topic("input")
        for name in (TOPIC, OFFSETS):
            self.log.create_topic(name, compact=True, segment_bytes=150)
        self.log.coordinator(protocol)
        self.records = [[], []]  # of each partition: [value, transaction or None]
        self.commits = []  # [offset, transaction or None], in the order in which they were written
        self.current, self.lives = {}, []  # by name the life that may act; all that there were
        self.undecided = {}  # by name: the transaction whose markers are held

    def opened(self, opening):
        return opening(clock=lambda: self.now)

    def abort_open(self, name):
        life = self.current.pop(name)
        self.decide(name, life.open, "abort")
        life.taken, life.open = life.open, None

    def decide(self, name, transaction, result):
        if transaction is not None:
            transaction.state, transaction.result = DECIDED, result
        self.undecided[name] = transaction
        self.write_markers()

    def write_markers(self):
        if not self.held:
            self.log.write_due_markers()
            for transaction in self.undecided.values():
                if transaction is not None:
                    transaction.state = ENDED
            self.undecided = {}

    @rule(name=st.sampled_from(NAMES))
    def a_new_life(self, name):
        life = self.current.get(name)
        ask = self.log.transactions.init_producer
        if name in self.undecided or (life and life.open):
            with pytest.raises(log_errors.ConcurrentTransactions):
                ask(name, TIMEOUT_MS)
            if name not in self.undecided:
                self.abort_open(name)
            if self.held:
                return
        life = Life(name, *ask(name, TIMEOUT_MS))
        self.current[name] = life
        self.lives.append(life)

    @rule(data=st.data(), partition=st.integers(0, 1), count=st.integers(1, 2))
    def write(self, data, partition, count):
        if not self.lives:
            return
        life = self.one_of_them(data)
        values = [f"{life.name} {life.epoch}: {len(self.records[partition]) + number}" for number in range(count)]
        where = (partition, life.epoch) if self.protocol == 2 else partition
        first = life.next.get(where, 0)

        def ask():
            self.add(life, f"output-{partition}")
            self.log.append("output", partition, values, "all", life.producer, life.epoch, first, True)

        if transaction := self.acts(life, ask, partition):
            life.next[where] = first + count
            self.records[partition] += [[value, transaction] for value in values]

    @rule(data=st.data(), offset=st.integers(0, 99))
    def commit_offset(self, data, offset):
        if not self.lives:
            return
        life = self.one_of_them(data)

        def ask():
            self.add(life, f"{OFFSETS}-0")
            self.log.commit("group", {("input", 0): offset}, life.producer, life.epoch)

        if transaction := self.acts(life, ask, OFFSETS):
            self.commits.append([offset, transaction])

    def one_of_them(self, data):
        """Pick a life: most often one that may act, now and then a zombie."""
        return data.draw(st.sampled_from([*self.current.values()] * 3 + self.lives[-2:]))

    def add(self, life, partition):
        if self.protocol == 1:
            self.log.transactions.add_partitions(life.name, life.producer, life.epoch, [partition])

    def acts(self, life, ask, place):
        """Let a life do something in its transaction: it works, or it is refused and nothing happens.

        Returns the transaction. A life that was fenced can write where it wrote before until the marker comes: that
        is aborted with all else. (In protocol 1 it adds the partition before, and the coordinator refuses it.)
        """
        if self.current.get(life.name) is not life or life.name in self.undecided:
            taken = life.taken
            if self.protocol == 2 and taken and taken.state == DECIDED and place in taken.places:
                ask()
                return taken
            with pytest.raises(REFUSED):
                ask()
            return None
        ask()
        if life.open is None:
            life.open = Transaction()
            life.open.since = self.now
        life.open.places.add(place)
        return life.open

    @rule(data=st.data(), result=st.sampled_from(["commit", "abort"]))
    def end(self, data, result):
        if not self.lives:
            return
        life = self.one_of_them(data)
        ask = self.log.transactions.end
        whom = life.name, life.producer, life.epoch, result
        acts = self.current.get(life.name) is life and life.name not in self.undecided
        if not acts:
            if self.protocol == 1 or result == "commit":  # KIP-890 lets a fenced producer's abort succeed, once
                with pytest.raises(REFUSED):
                    ask(*whom)
            return
        if life.open is None and (result == "commit" or self.protocol == 1):
            if self.protocol == 1 and life.last == result:
                assert ask(*whom) == (life.producer, life.epoch), "a request sent again"
            else:
                with pytest.raises(log_errors.InvalidTxnState):
                    ask(*whom)
            return
        life.producer, life.epoch = ask(*whom)
        assert life.epoch == whom[2] + self.protocol - 1
        ended, life.open, life.last = life.open, None, result
        self.decide(life.name, ended, result)

    @rule(partition=st.integers(0, 1))
    def write_plainly(self, partition):
        self.log.append("output", partition, [f"plain {len(self.records[partition])}"])
        self.records[partition].append([f"plain {len(self.records[partition])}", None])

    @rule(offset=st.integers(0, 99))
    def commit_plainly(self, offset):
        self.log.commit("group", {("input", 0): offset})
        self.commits.append([offset, None])

    @rule()
    def hold_or_release(self):
        self.held = not self.held
        self.write_markers()

    @precondition(lambda self: any(life.open for life in self.current.values()))
    @rule(ms=st.sampled_from([TIMEOUT_MS, TIMEOUT_MS + 1]))
    def time_goes_by(self, ms):
        self.now += ms
        late = [name for name, one in self.current.items() if one.open and one.open.since + TIMEOUT_MS < self.now]
        assert self.log.transactions.time_out() == sorted(late)
        for name in late:
            self.abort_open(name)

    @rule(how=st.sampled_from(["restart", "copy", "take over"]))
    def a_new_process(self, how):
        if how == "copy":
            self.log = self.opened(lambda **options: load_log(self.log.dump(), **options))
        elif how == "restart":
            self.log = self.log.reopened()
        if how != "copy":
            self.log.transactions.recover()
        assert self.log.transactions.protocol == self.protocol

    @rule(topic=st.sampled_from([TOPIC, OFFSETS]))
    def compact(self, topic):
        self.now += 1
        self.log.compact(topic, 0, tombstone_ms=0)

    @invariant()
    def readers_see_what_is_decided_and_nothing_behind_what_is_not(self):
        for number, records in enumerate(self.records):
            seen = [one.value for one in self.log.fetch("output", number, 0)]
            assert seen == [value for value, _ in records]
            stable = next(
                (place for place, (_, one) in enumerate(records) if one and one.state != ENDED), len(records)
            )
            wanted = [value for value, one in records[:stable] if one is None or one.result == "commit"]
            assert [one.value for one in self.log.fetch("output", number, 0, isolation="read_committed")] == wanted
            if stable == len(records):
                assert self.log.last_stable("output", number) == self.log.log_end("output", number)

    @invariant()
    def the_group_has_the_newest_offset_that_was_committed(self):
        counts = [
            offset for offset, one in self.commits if one is None or (one.state, one.result) == (ENDED, "commit")
        ]
        assert self.log.committed_offset("group", "input", 0) == (counts[-1] if counts else None)
        if any(one and one.state != ENDED for _, one in self.commits):
            with pytest.raises(log_errors.UnstableOffsetCommit):
                self.log.committed_offset("group", "input", 0, require_stable=True)
        else:
            self.log.committed_offset("group", "input", 0, require_stable=True)


TestTransactions = Transactions.TestCase
TestTransactions.settings = settings(
    max_examples=100, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
