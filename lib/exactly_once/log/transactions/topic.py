"""The coordinator's log: a compacted topic. Each record is the state of one transactional id.

A coordinator reads the topic to its end before it decides, and writes at that very offset. When another process wrote
there first, nothing is written, and the coordinator decides again. So any number of processes may have a coordinator
over one log, and they decide as one. Its epoch is the leader epoch of this partition, as in Kafka. A process takes
the coordinator over before it writes markers, if the epoch is not its own: then partitions refuse late markers of
other processes.
"""

from collections.abc import Iterator, MutableMapping
from typing import Any

from ..broker.groups import OFFSETS
from ..broker.replica import Moved, Replica
from ..client.requests import batch_of
from ..log_errors import UnknownTopicOrPartition
from ..storage.records import NOBODY, PLAIN, Pair
from .rules import Transaction

TOPIC = "__transaction_state"
NAME, PARTITIONS = Transaction._fields.index("transactional_id"), Transaction._fields.index("partitions")


class Kept(MutableMapping):
    """The state of each transactional id in the topic. Each assignment and each deletion is one record.

    Raises `Moved` when the topic was written to since it was read; then nothing is written.
    """

    def __init__(self, log: Any) -> None:
        self._log = log
        made = log.internal_topic(TOPIC)
        self._topic = log.topic(TOPIC)
        self._forget(None)
        self._follow()
        self._own = self._epoch if made else None

    @property
    def epoch(self) -> int | None:
        """The coordinator's epoch."""
        self._follow()
        return self._epoch

    def new_producer_id(self) -> int:
        """Return a producer id that nobody had before."""
        return self._log.controller.new_producer_id(transactional=True)

    def owner(self, producer: int) -> str | None:
        """Return the transactional id that a producer id has or had, or None."""
        if producer not in self._owners:  # it stays whose it was
            self._follow()
        return self._owners.get(producer)

    def check_partition(self, name: str) -> None:
        """Raise `UnknownTopicOrPartition` unless a marker can be written to a partition of this name."""
        topic, _, number = name.rpartition("-")
        if topic == OFFSETS:
            self._log.internal_topic(OFFSETS)
        if not number.isdecimal() or len(number) > 9:
            raise UnknownTopicOrPartition(f"There is no partition {name!r}; name it like output-0.")
        self._log.topic(topic, int(number))

    def take_over(self) -> None:
        """Raise the epoch, as when another broker becomes the coordinator: it is this process's, and no other's."""
        self._own = self._log.new_leader_epoch(TOPIC, 0)

    def owns_epoch(self) -> bool:
        """Tell whether the epoch is this process's own: no other one writes markers with it."""
        return self.epoch == self._own

    def __getitem__(self, name: str) -> Transaction:
        self._follow()
        return self._found[name]

    def __setitem__(self, name: str, transaction: Transaction) -> None:
        self._write(name, list(transaction))

    def __delitem__(self, name: str) -> None:
        self._write(name, None)

    def __iter__(self) -> Iterator[str]:
        self._follow()
        return iter(list(self._found))

    def __len__(self) -> int:
        self._follow()
        return len(self._found)

    def values(self) -> Any:
        """Return all of them, as they are now."""
        self._follow()
        return list(self._found.values())

    def _forget(self, epoch: int | None) -> None:
        self._epoch, self._end, self._found, self._owners = epoch, 0, {}, {}

    def _follow(self) -> None:
        """Read on to the end of the topic; from its beginning, if it has got another leader."""

        def read(replica: Replica) -> None:
            with replica.reading():
                epoch = replica.leading()["epoch"]
                if epoch != self._epoch or replica.end < self._end:
                    self._forget(epoch)
                if replica.end > self._end:
                    for batch in replica.disk.scan(replica.name, self._end):
                        for record in batch.records():
                            self._take(record.key, record.value)
                    self._end = replica.end

        self._log.with_leader(self._topic, 0, read)

    def _take(self, name: str, fields: Any) -> None:
        if fields is None:
            self._found.pop(name, None)
            return
        fields[PARTITIONS] = tuple(fields[PARTITIONS])
        found = self._found[name] = Transaction(*fields)
        self._owners[found.producer] = self._owners[found.last_producer] = name

    def _write(self, name: str, value: Any) -> None:
        batch = batch_of(self._topic, [Pair(name, value)], PLAIN, (NOBODY, NOBODY, NOBODY), self._log.clock())
        read = self._epoch, self._end

        def unchanged(replica: Replica) -> None:
            if (replica.state["epoch"], replica.end) != read:
                raise Moved

        self._log.append_if(TOPIC, batch, unchanged)
        self._take(name, value)
        self._end += 1
