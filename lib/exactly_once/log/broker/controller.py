"""The controller: the topics, the leader of each partition, and the in-sync replicas.

It has a disk of its own. Its decisions carry a leader epoch, which grows by one at every change of leader. Replicas
refuse requests with an older epoch.
"""

import functools
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from ...errors import BadInput, whole
from ..log_errors import CorruptLog, FencedLeaderEpoch, TopicExists
from .topics import Topic

BY_HAND = "producers by hand"  # ids that appends named and `new_producer_id` had not given


@dataclass(frozen=True)
class Partition:
    """The controller's state of a partition: its leader (None: no one), the leader epoch, the in-sync replicas."""

    leader: int | None
    epoch: int
    isr: tuple


_topic = functools.lru_cache(1000)(Topic)  # checked once; an explorer loads the same log many thousand times


class Controller:
    """The cluster's decisions, on one disk that all processes share."""

    def __init__(self, disk: Any, brokers: int | None = None) -> None:
        self.disk = disk
        with disk.transaction():
            found = disk.get("brokers")
            if found is None:
                found = {
                    "count": whole("The number of brokers", 1 if brokers is None else brokers, least=1, most=100)
                }
                disk.put("brokers", found | {"down": [], "paused": []})
            elif brokers is not None and brokers != found["count"]:
                raise BadInput(
                    f"This log has {found['count']} brokers, not {brokers}; leave brokers= out to open it."
                )
        self.brokers = found["count"]
        self._taken = set()  # producer ids of which the disk is known to know

    def alive(self) -> list[int]:
        """Return the brokers that are not dead."""
        down = self.disk.get("brokers")["down"]
        return [broker for broker in range(self.brokers) if broker not in down]

    def paused(self) -> list[int]:
        """Return the brokers that fetch nothing at the moment."""
        return self.disk.get("brokers")["paused"]

    def mark(self, broker: int, what: str, yes: bool) -> None:
        """Note that a broker is, or is no longer, "down" or "paused"."""
        with self.disk.transaction():
            state = self.disk.get("brokers")
            state[what] = sorted({*state[what], broker} if yes else {*state[what]} - {broker})
            self.disk.put("brokers", state)

    def topics(self) -> dict[str, Topic]:
        """Return all topics by name."""
        return {name: _topic(**settings) for name, settings in self.disk.get("topics", {}).items()}

    def create(self, topic: Topic, exist_ok: bool = False) -> None:
        """Create a topic, with its first leaders. Raises `TopicExists`, `BadInput` for more replicas than brokers."""
        if topic.replicas > self.brokers:
            raise BadInput(f"{topic.replicas} replicas need as many brokers, and there are {self.brokers}.")
        with self.disk.transaction():
            topics = self.disk.get("topics", {})
            if topic.name in topics:
                if exist_ok and Topic(**topics[topic.name]) == topic:
                    return
                other = " with other settings" if exist_ok else ""
                raise TopicExists(f"The topic {topic.name!r} is there already{other}; take another name.")
            self.disk.put("topics", topics | {topic.name: asdict(topic)})
            alive = self.alive()
            for number in range(topic.partitions):
                brokers = topic.brokers_of(number, self.brokers)
                isr = [broker for broker in brokers if broker in alive]
                found = Partition(isr[0] if isr else None, 0, tuple(isr or brokers))
                self._put(topic.name, number, found)

    def partition(self, topic: str, number: int) -> Partition:
        """Return a `Partition`. Raises `CorruptLog` when the controller's disk does not know it."""
        found = self.disk.get(f"partition/{topic}-{number}")
        if found is None:
            raise CorruptLog(f"The controller knows the topic {topic!r}, and no partition {number} of it.")
        return Partition(found[0], found[1], tuple(found[2]))

    def elect(self, topic: Topic, number: int, unclean: bool | None = None) -> Partition:
        """Give a partition a leader if it has no living one. Returns the `Partition`.

        The first living replica among those in sync becomes it. If none lives there is no leader, unless the topic
        (or `unclean`) allows one from outside: then records that were committed may be lost.
        """
        unclean = topic.unclean_election if unclean is None else unclean
        with self.disk.transaction():
            now, alive = self.partition(topic.name, number), self.alive()
            if now.leader in alive:
                return now
            replicas = [one for one in topic.brokers_of(number, self.brokers) if one in alive]
            candidates = [one for one in replicas if one in now.isr]
            if candidates:
                found = Partition(candidates[0], now.epoch + 1, tuple(candidates))
            elif unclean and replicas:
                found = Partition(replicas[0], now.epoch + 1, (replicas[0],))
            else:
                found = replace(now, leader=None)
            return self._put(topic.name, number, found)

    def leaderless(self, topic: str, number: int) -> Partition:
        """Note that a partition's leader is dead, without an election. Returns the `Partition`."""
        with self.disk.transaction():
            return self._put(topic, number, replace(self.partition(topic, number), leader=None))

    def raise_epoch(self, topic: str, number: int) -> Partition:
        """Begin a new leader epoch with the same leader. Returns the `Partition`."""
        with self.disk.transaction():
            now = self.partition(topic, number)
            return self._put(topic, number, replace(now, epoch=now.epoch + 1))

    def set_isr(self, topic: str, number: int, epoch: int, isr: Iterable[int]) -> Partition:
        """Take the leader's word on who is in sync (KIP-497). Returns the `Partition`.

        Raises `FencedLeaderEpoch` when that leader was replaced.
        """
        with self.disk.transaction():
            now = self.partition(topic, number)
            if now.epoch != epoch or now.leader is None:
                raise FencedLeaderEpoch(f"Leader epoch {epoch} of {topic}-{number} is over; now it is {now.epoch}.")
            return self._put(topic, number, replace(now, isr=tuple(isr)))

    def new_producer_id(self, transactional: bool = False) -> int:
        """Return a producer id that nobody had before; it is noted for good if it is for a transactional id."""
        with self.disk.transaction():
            number, by_hand = self.disk.get("next producer", 0), self.disk.get(BY_HAND, [])
            while number in by_hand:
                number += 1
            self.disk.put("next producer", number + 1)
            if transactional:
                self.disk.put(f"transactional producer/{number}", True)
            return number

    def take_note(self, producer: int) -> None:
        """Note a producer id with which somebody writes, if it was chosen by hand: nobody else is given it."""
        if producer in self._taken:
            return
        if producer >= self.disk.get("next producer", 0):
            with self.disk.transaction():
                self.disk.put(BY_HAND, sorted({*self.disk.get(BY_HAND, []), producer}))
        self._taken.add(producer)

    def is_transactional(self, producer: int) -> bool:
        """Tell whether a producer id was for a transactional id, which may be forgotten by now."""
        return self.disk.get(f"transactional producer/{producer}", False)

    def _put(self, topic: str, number: int, partition: Partition) -> Partition:
        self.disk.put(f"partition/{topic}-{number}", [partition.leader, partition.epoch, list(partition.isr)])
        return partition
