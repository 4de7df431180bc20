"""A transactional producer's requests to a `Log`: carried out at once, and so are the markers of decisions."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any

from ...errors import BadInput
from .producer import MAX_BLOCK_MS, TransactionalProducer


class LogRequests:
    """The requests of a `TransactionalProducer`, answered by a log and its coordinator.

    Each may raise the refusal of a broker; where others answer them, `OutcomeUnknown`, too.
    """

    def __init__(self, log: Any) -> None:
        self._log = log

    def init_producer(
        self, transactional_id: str, timeout_ms: int, producer: int | None, epoch: int | None
    ) -> tuple[int, int]:
        """Have the coordinator begin an incarnation of this id."""
        return self._log.transactions.init_producer(transactional_id, timeout_ms, producer, epoch)

    def settled(self, transactional_id: str) -> None:
        """Write the markers that are missing."""
        self._log.write_due_markers(transactional_id)

    def add_partitions(self, transactional_id: str, producer: int, epoch: int, partitions: list[str]) -> None:
        """Have the coordinator note the partitions."""
        self._log.transactions.add_partitions(transactional_id, producer, epoch, partitions)

    def append(self, partition: str, records: Iterable[Any], producer: int, epoch: int, sequence: int) -> int:
        """Append a batch to a partition such as "output-0"; return the offset of its first record."""
        receipt = self._log.append(
            *place_of(partition), records, "all", producer, epoch, sequence, transactional=True
        )
        assert receipt.offset is not None, "with acks='all' the offset is told"
        return receipt.offset

    def commit_offsets(
        self, group: str, offsets: Mapping[str, int], producer: int, epoch: int, generation: int | None
    ) -> None:
        """Write a group's offsets, pending until the transaction ends."""
        places = {place_of(partition): offset for partition, offset in offsets.items()}
        self._log.commit(group, places, producer, epoch, generation)

    def end(self, transactional_id: str, producer: int, epoch: int, result: str) -> tuple[int, int]:
        """Have the coordinator decide, and write the markers."""
        after = self._log.transactions.end(transactional_id, producer, epoch, result)
        self._log.write_due_markers(transactional_id)
        return after


class Transactional:
    """A log with producers of transactions."""

    def transactional_producer(
        self, transactional_id: str, timeout_ms: int = 60_000, max_block_ms: int | None = MAX_BLOCK_MS
    ) -> TransactionalProducer:
        """Return a producer whose transactions cover records and group offsets of this log.

        All incarnations of a producer give the same `transactional_id`. Its decisions are carried out at once: when
        `commit_transaction` returns, the markers are written, as far as they can be. `max_block_ms`: for so long, in
        real time, a call asks again before it raises `TimedOut`; None: for ever.
        """
        return TransactionalProducer(LogRequests(self), transactional_id, timeout_ms, max_block_ms)


@functools.cache
def place_of(partition: str) -> tuple[str, int]:
    """Return (topic, number) of a partition's name, such as "output-0". Raises `BadInput` for another text."""
    topic, _, number = partition.rpartition("-")
    if not topic or not number.isdigit():
        raise BadInput(f"The partition is {partition!r}; give topic and number, such as 'output-0'.")
    return topic, int(number)
