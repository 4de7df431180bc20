"""Reading from the log: the visible records, and the offsets."""

from collections.abc import Callable
from typing import Literal, TypeAlias, get_args

from ..errors import one_of, whole
from .broker.broker_cluster import Cluster
from .broker.replica import Replica
from .log_errors import OffsetOutOfRange
from .storage.records import MARKERS, Batch, Record

Isolation: TypeAlias = Literal["read_uncommitted", "read_committed"]
ISOLATIONS: tuple[Isolation, ...] = get_args(Isolation)


class Fetched(list[Record]):
    """The records that a fetch found; `next` is the offset to go on from, which may lie beyond the last of them.

    `headers` are those of each record, where a real broker keeps any.
    """

    next: int = 0
    headers: list[dict[str, bytes]]


class Readable(Cluster):
    """The methods of `Log` for readers."""

    def fetch(
        self,
        topic: str,
        partition: int,
        offset: int,
        max_records: int | None = None,
        isolation: Isolation = "read_uncommitted",
    ) -> Fetched:
        """Return the records of a partition from `offset` on, as a list of `Record`; at the end, an empty one.

        Never more than is committed, or, with isolation "read_committed", more than the last stable offset, and then
        without the records of aborted transactions. `max_records` bounds the answer. The list's `next` is the
        offset to go on from.

        Raises `OffsetOutOfRange` before the log start or beyond the log end, `LeaderNotAvailable`, `BadInput`.
        """
        if max_records is not None:
            whole("max_records", max_records, least=1)
        found = Fetched()
        found.next = offset

        def take(batch: Batch, hidden: bool, end: int) -> bool:
            records = [] if hidden else batch.within(found.next, end, partition)
            room = len(records) if max_records is None else max_records - len(found)
            found.extend(records if room >= len(records) else records[:room])
            if room < len(records):
                found.next = found[-1].offset + 1
                return False
            found.next = max(found.next, min(batch.end, end))
            return True

        self.read_batches(topic, partition, offset, isolation, take)
        return found

    def fetch_batches(
        self,
        topic: str,
        partition: int,
        offset: int,
        isolation: Isolation = "read_uncommitted",
    ) -> list[Batch]:
        """Return the visible `Batch`es from the one that holds `offset` on; `records()` opens one."""
        found: list[Batch] = []

        def take(batch: Batch, hidden: bool, _: int) -> bool:
            if not hidden and batch.kind not in MARKERS:
                found.append(batch)
            return True

        self.read_batches(topic, partition, offset, isolation, take)
        return found

    def read_batches(
        self,
        topic: str,
        partition: int,
        offset: int,
        isolation: Isolation,
        take: Callable[[Batch, bool, int], bool],
    ) -> None:
        """Hand batches over, one at a time, so that one at a time is in memory.

        `take(batch, hidden, end)` is told whether the batch's transaction was aborted, and the first offset that the
        reader may not see; it returns whether it wants more.
        """
        settings = self.topic(topic, partition)
        committed_only = one_of("isolation", isolation, ISOLATIONS) == "read_committed"

        def read(replica: Replica) -> None:
            with replica.reading():
                replica.leading()
                check_range(topic, partition, whole("The offset", offset), replica)
                end = replica.last_stable if committed_only else replica.high_watermark
                if offset >= end:
                    return
                hides = replica.log_index.producers.is_aborted if committed_only else lambda batch: False
                for batch in replica.disk.scan(replica.name, offset, end):
                    if not take(batch, hides(batch), end):
                        return

        self.with_leader(settings, partition, read)

    def aborted(self, topic: str, partition: int, offset: int, end: int) -> list[tuple[int, int]]:
        """Return (producer, first offset) of each aborted transaction with something between `offset` and `end`."""

        def read(replica: Replica) -> list[tuple[int, int]]:
            with replica.reading():
                return replica.log_index.producers.aborted_between(offset, end)

        return self.with_leader(self.topic(topic, partition), partition, read)


def check_range(topic: str, partition: int, offset: int, replica: Replica, end: int | None = None) -> None:
    """Raise `OffsetOutOfRange` unless an offset lies between the log start and `end`, the log end by default."""
    end = replica.end if end is None else end
    if not replica.start <= offset <= end:
        raise OffsetOutOfRange(
            f"Offset {offset} of {topic}-{partition} does not exist; this log has the offsets {replica.start} to "
            f"{end}, where {end} is its end."
        )
