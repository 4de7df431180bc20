"""The objects by which a program writes to a log and reads from it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from ...errors import BadInput, one_of, whole
from ...stores.codec import Value
from ..log import ACKS, Acks, Log, Receipt
from ..reading import Isolation
from ..storage.records import Key, Pair, Record, pack
from .partitioner import JAVA, PARTITIONERS, Partitioner, Sticky, is_none, partition_for


class Producer:
    """Writes records, each to the partition of its key.

    `acks`: 0, 1 or "all", as for `Log.append`. `idempotent=True` numbers the batches of each partition, so that a
    batch sent again with `again` is not written twice (KIP-98). `partitioner` names the rule for keys:
    "murmur2_random", the Java client's default, or "consistent_random", librdkafka's (see `partition_for`). Records
    without a key go to one partition until about 16 KB went there, then to another one, as the Java client's do;
    `seed` makes these picks repeatable. (librdkafka turns after 10 ms instead.)
    """

    def __init__(
        self,
        log: Log,
        acks: Acks = "all",
        idempotent: bool = False,
        seed: int | None = None,
        partitioner: Partitioner = JAVA,
    ) -> None:
        self.log, self.acks = log, one_of("acks", acks, ACKS)
        self.partitioner = one_of("partitioner", partitioner, PARTITIONERS)
        self.producer = log.new_producer_id() if idempotent else None
        self.epoch = 0 if idempotent else None
        self._next: dict[tuple[str, int], int] = {}
        self._sticky = Sticky(seed=seed)
        self._last: tuple[str, int, Iterable[Value], int | None] | None = None

    def send(self, topic: str, value: Value, key: Key = None, partition: int | None = None) -> Receipt:
        """Send one record, to `partition`, or its key's, or one of the producer's choice. Returns a `Receipt`.

        Raises what `Log.append` raises.
        """
        partitions = self.log.topic(topic).partitions
        if partition is None:
            if key is None or is_none(key, self.partitioner):
                partition = self._sticky.pick(partitions, len(pack([Pair(None, value)])[1]))
            else:
                partition = partition_for(key, partitions, self.partitioner)
        return self.send_batch(topic, [Pair(key, value)], partition)

    def send_batch(self, topic: str, records: Iterable[Value], partition: int) -> Receipt:
        """Send records to one partition as one batch. Returns a `Receipt`. Raises what `Log.append` raises."""
        records = list(records) if isinstance(records, Iterator) else records  # `again` needs them once more
        sequence = None if self.producer is None else self._next.setdefault((topic, partition), 0)
        self._last = topic, partition, records, sequence
        return self.again()

    def again(self) -> Receipt:
        """Send the last batch once more, as it was. Returns a `Receipt`, which may say that it is a duplicate."""
        if self._last is None:
            raise BadInput("Nothing was sent yet, so there is nothing to send again.")
        topic, partition, records, sequence = self._last
        receipt = self.log.append(topic, partition, records, self.acks, self.producer, self.epoch, sequence)
        if sequence is not None:
            self._next[topic, partition] = (sequence + receipt.count) % 2**31
        return receipt


class Consumer:
    """Reads a topic from its positions on, and keeps them in its group's committed offsets when told to.

    `partitions` are those to read, all by default. A partition starts at the offset that the `group` committed;
    without one, at `start`: "earliest" (the log start) or "latest" (the high watermark).
    """

    def __init__(
        self,
        log: Log,
        topic: str,
        group: str | None = None,
        partitions: Iterable[int] | None = None,
        start: Literal["earliest", "latest"] = "earliest",
        isolation: Isolation = "read_uncommitted",
    ) -> None:
        self.log, self.topic, self.group, self.isolation = log, topic, group, isolation
        one_of("start", start, ("earliest", "latest"))
        partitions = range(log.topic(topic).partitions) if partitions is None else partitions
        if not isinstance(partitions, Iterable):
            raise BadInput(f"The partitions to read are {partitions!r}; give a list of them.")
        self.partitions = list(partitions)
        self._positions: dict[int, int] = {}
        for partition in self.partitions:
            found = None if group is None else log.committed_offset(group, topic, partition)
            if found is None:
                found = (log.log_start if start == "earliest" else log.high_watermark)(topic, partition)
            self._positions[partition] = found
        self._turn = 0

    @property
    def positions(self) -> dict[int, int]:
        """The offset of the next record, for each partition."""
        return dict(self._positions)

    def position(self, partition: int = 0) -> int:
        """Return the offset of the next record of a partition."""
        return self._positions[one_of("The partition", partition, self._positions)]

    def seek(self, partition: int, offset: int) -> None:
        """Go on at `offset` in a partition. The next `poll` raises `OffsetOutOfRange` if there is no such offset."""
        self._positions[one_of("The partition", partition, self._positions)] = whole("The offset", offset)

    def poll(self, max_records: int = 500) -> list[Record]:
        """Return up to `max_records` next records and move the positions past them; an empty list at the end.

        The partitions take turns to come first; the records of one keep their order. Raises the errors of
        `Log.fetch`.
        """
        whole("max_records", max_records, least=1)
        records: list[Record] = []
        count = len(self.partitions)
        for number in range(count):
            partition = self.partitions[(self._turn + number) % count]
            if len(records) < max_records:
                room, at = max_records - len(records), self._positions[partition]
                found = self.log.fetch(self.topic, partition, at, room, isolation=self.isolation)
                records += found
                self._positions[partition] = found.next
        self._turn += 1
        return records

    def commit(self, positions: Mapping[int, int] | None = None) -> None:
        """Commit the positions, or the given {partition: offset}. Raises `BadInput` without a group."""
        if self.group is None:
            raise BadInput("This consumer has no group to commit for; make it with group='some name'.")
        positions = self._positions if positions is None else positions
        if not isinstance(positions, Mapping):
            raise BadInput(f"The positions to commit are {positions!r}; they map partitions to offsets.")
        self.log.commit(self.group, {(self.topic, partition): offset for partition, offset in positions.items()})
