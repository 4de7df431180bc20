"""The brokers as a whole: topics, leaders, followers, dead brokers, and the reaction to each change of these."""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ...errors import BadInput, is_whole, one_of, whole
from ..log_errors import (
    CorruptLog,
    FencedLeaderEpoch,
    LeaderNotAvailable,
    NotLeader,
    TopicExists,
    UnknownTopicOrPartition,
)
from .controller import Controller, Partition
from .producer_state import EXPIRY_MS
from .replica import Replica
from .replication import fetch_once
from .topics import Topic

ROUNDS = 1_000_000  # more than any log needs; a guard, not a limit
DELIVERY_SECONDS = 120  # Kafka's delivery.timeout.ms: a client looks so long for a leader that moves
RETRY_SECONDS = 0.01  # a client asks again who leads after so long; Kafka's retry.backoff.ms is 100
TRUNCATIONS = LEADER_EPOCH, HIGH_WATERMARK = "leader epoch", "high watermark"
REPLICAS = 3  # of a topic that the log makes for itself, if there are so many brokers
SEGMENT_BYTES = 1 << 14
INTERNAL = "__"  # how the names of topics begin that the log makes for itself


class Cluster:
    """Brokers with their disks, and a controller with its own. `Log` adds the requests of clients."""

    def __init__(
        self,
        controller: Controller,
        disks: Iterable[Any],
        replication: Any,
        elections: Any,
        truncation: Any = LEADER_EPOCH,
        producer_expiration_ms: int = EXPIRY_MS,
    ) -> None:
        self.controller = controller
        self.producer_expiration_ms = whole("producer_expiration_ms", producer_expiration_ms, least=1)
        self.disks = list(disks)
        self.replication = replication
        self.elections = one_of("elections", elections, ("auto", "manual"))
        self.truncation = one_of("truncation", truncation, TRUNCATIONS)
        self._topics, self._partitions, self._replicas = {}, {}, {}

    @property
    def brokers(self) -> int:
        """How many brokers there are."""
        return self.controller.brokers

    @property
    def alive(self) -> list[int]:
        """The brokers that are not dead."""
        return self.controller.alive()

    def create_topic(self, name: str, partitions: int = 1, exist_ok: bool = False, **settings: Any) -> Topic:
        """Create a topic; `Topic` says which settings there are. Returns the `Topic`.

        Raises `TopicExists`; with `exist_ok`, only if it is there with other settings. Raises `BadInput`.
        """
        unknown = set(settings) - set(Topic.__dataclass_fields__)
        if unknown:
            raise BadInput(f"A topic has no setting {', '.join(sorted(unknown))}; see help(Topic).")
        topic = Topic(name, partitions, **settings)
        self.controller.create(topic, exist_ok)
        self._topics = {}
        for number in range(partitions):
            self._apply(topic, number)
        return topic

    def topics(self) -> dict[str, Topic]:
        """Return the topics by name, without those that the log made for itself."""
        return {name: topic for name, topic in self.controller.topics().items() if not name.startswith(INTERNAL)}

    def topic(self, name: str, partition: int = 0) -> Topic:
        """Return a `Topic`. Raises `UnknownTopicOrPartition` if there is none, or it has no such partition."""
        found = self._topics.get(name) if isinstance(name, str) else None
        if found is None:
            self._topics = self.controller.topics()
            if not isinstance(name, str) or name not in self._topics:
                there = ", ".join(self.topics()) or "none yet; create_topic makes one"
                raise UnknownTopicOrPartition(f"There is no topic {name!r}; there are: {there}.")
            found = self._topics[name]
        if not is_whole(partition):
            raise BadInput(f"The partition is {partition!r}; it must be a whole number.")
        if not 0 <= partition < found.partitions:
            raise UnknownTopicOrPartition(
                f"The topic {name!r} has no partition {partition}; it has 0 to {found.partitions - 1}."
            )
        return found

    def leader(self, topic: str, partition: int) -> int | None:
        """Return the broker that leads a partition, or None."""
        return self._partition(self.topic(topic, partition), partition, fresh=True).leader

    def isr(self, topic: str, partition: int) -> list[int]:
        """Return the in-sync replicas of a partition, by broker."""
        return list(self._partition(self.topic(topic, partition), partition, fresh=True).isr)

    def replicas(self, topic: str, partition: int) -> list[int]:
        """Return the brokers that hold a partition; the first is the preferred leader."""
        return self.topic(topic, partition).brokers_of(partition, self.brokers)

    def log_start(self, topic: str, partition: int) -> int:
        """Return the first offset of a partition that was not deleted."""
        return self._asked(topic, partition, "start")

    def high_watermark(self, topic: str, partition: int) -> int:
        """Return the first offset that is not committed; readers see records below it only."""
        return self._asked(topic, partition, "high_watermark")

    def log_end(self, topic: str, partition: int) -> int:
        """Return the offset that the leader gives to the next record."""
        return self._asked(topic, partition, "end")

    def last_stable(self, topic: str, partition: int) -> int:
        """Return the first offset that a read_committed reader may not see."""
        return self._asked(topic, partition, "last_stable")

    def internal_topic(self, name: str) -> bool:
        """Make a topic that the log keeps for itself, if it is not there. Returns whether it was made by this call.

        It is compacted and has one partition, on three brokers if there are so many.
        """
        try:
            self.topic(name)
        except UnknownTopicOrPartition:
            replicas = min(REPLICAS, self.brokers)
            with contextlib.suppress(TopicExists):
                self.create_topic(name, replicas=replicas, compact=True, segment_bytes=SEGMENT_BYTES)
                return True
        return False

    def new_leader_epoch(self, topic: str, partition: int) -> int:
        """Let a partition's leader begin a new leader epoch, as a broker does that restarts. Returns the epoch."""
        settings = self.topic(topic, partition)
        self._elected(settings, partition)
        epoch = self.controller.raise_epoch(topic, partition).epoch
        self._apply(settings, partition)
        self.caught_up(topic, partition)
        return epoch

    def kill(self, broker: int) -> None:
        """Kill a broker: it answers no more, and its disk stays as it is. Its partitions get other leaders."""
        self._broker(broker)
        self.watch()
        led, told = [], []
        with self.controller.disk.transaction():  # held, so that nobody tells it to lead again before it is dead
            for topic, number in self._held_by(broker):
                # a broker whose disk is damaged can be killed as well
                with contextlib.suppress(CorruptLog), self.replica(broker, topic, number).changing() as replica:
                    replica.resign()
            self.controller.mark(broker, "down", True)
            for topic, number in self._held_by(broker):
                now = self._partition(topic, number, fresh=True)
                if now.leader == broker:
                    self.controller.leaderless(topic.name, number)
                    led.append((topic, number))
                elif now.leader is not None and broker in now.isr:
                    self._forgotten(topic, number, [broker])
                    told.append((topic, number))
        for place in led:  # once the controller has written it down: no replica is ever ahead of it
            self._elected(*place)
        for place in told:
            self._apply(*place)
        if led and self.elections == "auto":
            self._automatically()

    def revive(self, broker: int) -> None:
        """Start a dead broker again, with the log that it had; it joins those in sync when it has caught up."""
        self._broker(broker)
        self.controller.mark(broker, "down", False)
        for topic, number in self._held_by(broker):
            self._elected(topic, number)
        self._starts_to_follow(broker)
        self._automatically()

    def bounce(self, broker: int) -> None:
        """Restart a living broker so quickly that the controller does not miss it: it stays leader, and in sync.

        The rule of `truncation` decides how much of its log it keeps as a follower. Kafka's controller could overlook
        such a restart while it watched its brokers through ZooKeeper, until a broker epoch told the two incarnations
        apart (KIP-380, Kafka 2.2).
        """
        if self._broker(broker) not in self.alive:
            raise BadInput(f"Broker {broker} is dead, so it cannot restart unnoticed; revive({broker}) starts it.")
        self._starts_to_follow(broker)
        self._automatically()

    def _starts_to_follow(self, broker: int) -> None:
        """Let a starting broker truncate its logs to its last known high watermark, if that is the rule."""
        if self.truncation == HIGH_WATERMARK:
            for topic, number in self._held_by(broker):
                if self._partition(topic, number, fresh=True).leader not in (None, broker):
                    with self.replica(broker, topic, number).changing() as replica:
                        replica.truncate(replica.high_watermark)

    def pause(self, broker: int) -> None:
        """Let a broker live, and its replicas fetch nothing: a slow disk, a network that is cut."""
        self._broker(broker)
        self.controller.mark(broker, "paused", True)

    def resume(self, broker: int) -> None:
        """Let a paused broker fetch again."""
        self._broker(broker)
        self.controller.mark(broker, "paused", False)
        self._automatically()

    def elect(self, topic: str | None = None, partition: int | None = None, unclean: bool | None = None) -> None:
        """Elect a leader for each partition without one, or for the one that is named: see `Controller.elect`."""
        for settings, number in self._named(topic, partition):
            self.controller.elect(settings, number, unclean)
            self._apply(settings, number)
        self._automatically()

    def replicate(
        self,
        topic: str | None = None,
        partition: int | None = None,
        follower: int | None = None,
        rounds: int | None = None,
        upto: int | None = None,
    ) -> int:
        """Let living followers fetch: all, or those of one topic, partition or broker. Returns the rounds that moved.

        Without `rounds` it goes on until nothing moves. `upto` is the offset below which batches are copied.
        """
        done, most = 0, ROUNDS if rounds is None else whole("rounds", rounds, least=1)
        if follower is not None:
            self._broker(follower)
        if upto is not None:
            whole("upto", upto)
        places = [place for place in self._named(topic, partition) if place[0].replicas > 1]
        while done < most and sum(self._round(*place, follower, upto) for place in places):
            done += 1
            self.watch()
        return done

    def shrink_isr(self, topic: str, partition: int, broker: int) -> None:
        """Take a follower that lags out of those in sync, as the leader does after `replica.lag.time.max.ms`."""
        settings, now = self.topic(topic, partition), self._partition(self.topic(topic, partition), partition, True)
        if broker == now.leader or broker not in now.isr:
            raise BadInput(f"Broker {broker} is no in-sync follower of {topic}-{partition}; in sync are {now.isr}.")
        self._shrink(settings, partition, [broker])
        self.watch()

    def drop_laggards(self, settings: Topic, partition: int) -> None:
        """Remove from the ISR all replicas that are behind the leader, as a long wait for them would."""
        now = self._partition(settings, partition, fresh=True)
        with self.replica(now.leader, settings, partition).reading() as leader:
            has = {int(broker): end for broker, end in leader.state["positions"].items()}
            behind = [one for one in now.isr if one != now.leader and has.get(one, -1) < leader.end]
        if behind:
            self._shrink(settings, partition, behind)
            self.watch()

    def caught_up(self, topic: str, partition: int) -> None:
        """Let followers of a partition catch up, unless replication is by hand."""
        if self.replication == "auto":
            self.replicate(topic, partition)
        self.watch()

    def with_leader(self, topic: Topic, partition: int, work: Callable[[Replica], Any]) -> Any:
        """Return `work(replica)` of the current leader's replica.

        A leader that has moved is looked up again, as Kafka's clients do, for up to `DELIVERY_SECONDS`. Raises
        `LeaderNotAvailable` when there is none; then `work` was not done.
        """
        fresh, deadline = False, None
        while True:
            if fresh:
                self._elected(topic, partition)
            now = self._partition(topic, partition)
            if now.leader is None:
                if fresh:
                    raise LeaderNotAvailable(
                        f"{topic.name}-{partition} has no leader: none of its in-sync replicas {list(now.isr)} is "
                        "alive. Revive one of them."
                    )
                fresh = True
                continue
            try:
                return work(self.replica(now.leader, topic, partition))
            except NotLeader as why:
                fresh = True
                if deadline is None:
                    deadline = time.monotonic() + DELIVERY_SECONDS
                elif time.monotonic() > deadline:
                    raise LeaderNotAvailable(
                        f"Nobody has led {topic.name}-{partition} for {DELIVERY_SECONDS} seconds, though "
                        f"broker {now.leader} should: nothing was done. Look whether that broker "
                        f"incarnations, and ask again."
                    ) from why
                else:
                    time.sleep(RETRY_SECONDS)

    def replica(self, broker: Any, topic: Topic, partition: int) -> Replica:
        """Return the `Replica` of a partition on a broker."""
        place = broker, topic.name, partition
        if place not in self._replicas:
            name = f"{topic.name}-{partition}"
            self._replicas[place] = Replica(self.disks[broker], name, broker, topic, self.producer_expiration_ms)
        return self._replicas[place]

    def places(self) -> Iterator[tuple[Topic, int]]:
        """Yield (Topic, partition) of every partition."""
        found = self.controller.topics().values()
        for topic in sorted(found, key=lambda one: (one.name.startswith(INTERNAL), one.name)):
            for number in range(topic.partitions):
                yield topic, number

    def _partition(self, topic: Topic, number: int, fresh: bool = False) -> Partition:
        place = topic.name, number
        if fresh or place not in self._partitions:
            self._partitions[place] = self.controller.partition(*place)
        return self._partitions[place]

    def _asked(self, topic: str, partition: int, what: str) -> int:
        def ask(replica: Replica) -> int:
            with replica.reading():
                replica.leading()
                return getattr(replica, what)

        return self.with_leader(self.topic(topic, partition), partition, ask)

    def _round(self, topic: Topic, number: int, follower: int | None = None, upto: int | None = None) -> bool:
        """Let the followers of a partition fetch once each. Returns whether anything moved."""
        now, paused, alive = self._partition(topic, number, fresh=True), self.controller.paused(), self.alive
        if now.leader not in alive:
            return False
        leader, moved = self.replica(now.leader, topic, number), False
        for broker in topic.brokers_of(number, self.brokers):
            if broker == now.leader or broker not in alive or broker in paused or follower not in (None, broker):
                continue
            try:
                moved |= fetch_once(
                    leader,
                    self.replica(broker, topic, number),
                    lambda one: self._expand(topic, number, one),
                    upto,
                    self.truncation == LEADER_EPOCH,
                )
            except (FencedLeaderEpoch, NotLeader):
                moved |= self._apply(topic, number)
        return moved

    def _elected(self, topic: Topic, number: int) -> None:
        """Have a leader elected if there is none and elections are not by hand, and tell the replicas who leads."""
        if self.elections == "auto":
            self.controller.elect(topic, number)
        self._apply(topic, number)

    def _expand(self, topic: Topic, number: int, broker: int) -> None:
        """Let a follower join those in sync: the leader waits for it before the controller may elect it."""
        with self.controller.disk.transaction():
            now = self._partition(topic, number, fresh=True)
            if now.leader is None:
                raise NotLeader(f"Nobody leads {topic.name}-{number} now, so nobody joins those in sync.")
            isr = [one for one in topic.brokers_of(number, self.brokers) if one in now.isr or one == broker]
            with self.replica(now.leader, topic, number).changing() as leader:
                leader.lead(now.epoch, isr)
            self.controller.set_isr(topic.name, number, now.epoch, isr)

    def _shrink(self, topic: Topic, number: int, brokers: Sequence[int]) -> None:
        """Take followers out of those in sync: the controller forgets them before the leader stops waiting for
        them.
        """
        self._forgotten(topic, number, brokers)
        self._apply(topic, number)

    def _forgotten(self, topic: Topic, number: int, brokers: Sequence[int]) -> None:
        now = self._partition(topic, number, fresh=True)
        self.controller.set_isr(topic.name, number, now.epoch, [one for one in now.isr if one not in brokers])

    def _apply(self, topic: Topic, number: int) -> bool:
        """Tell the living replicas of a partition the controller's decision. Returns whether it was news to any.

        It may be done again at any time. This also finishes the half-done changes of a process that died.
        """
        news = False
        with self.controller.disk.transaction():  # held, so that no other decision comes between
            now, alive = self._partition(topic, number, fresh=True), self.alive
            for broker in topic.brokers_of(number, self.brokers) if now.leader is not None else ():
                if broker in alive:
                    with self.replica(broker, topic, number).changing() as replica:
                        told = replica.obey(now)
                        if told and self.truncation == HIGH_WATERMARK and broker != now.leader:
                            replica.truncate(replica.high_watermark)
                        news |= told
        return news

    def watch(self) -> None:
        """Called after each change; `Log` looks then which promises have come true."""

    def _automatically(self) -> None:
        if self.replication == "auto":
            self.replicate()
        self.watch()

    def _named(self, topic: str | None, partition: int | None) -> list[tuple[Topic, int]]:
        if topic is None:
            return list(self.places())
        settings = self.topic(topic, 0 if partition is None else partition)
        return [(settings, number) for number in (range(settings.partitions) if partition is None else (partition,))]

    def _held_by(self, broker: int) -> list[tuple[Topic, int]]:
        return [
            (topic, number) for topic, number in self.places() if broker in topic.brokers_of(number, self.brokers)
        ]

    def _broker(self, broker: int) -> int:
        return whole("The broker", broker, most=self.brokers - 1)
