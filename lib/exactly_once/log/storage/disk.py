"""Disks: the durable data of one broker, for all its replicas. One interface, here in memory.

The broker's rules read and write only through a disk, and keep nothing else that must survive. A disk is shared by
all processes that open it: the other processes see a transaction whole when they begin their own. `SQLiteDisk` has
the same methods over a file.
"""

import contextlib
import threading
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

from ...errors import BadInput
from ...stores.codec import Value, decode, encode
from .records import Batch


class MemoryDisk:
    """A disk in one process's memory, for threads too: cheap to open, to copy and to compare.

    It holds batches of its replicas, and small values by key. A replica is named by text, such as "orders-0"; it
    exists from its first batch on. Its batches are kept by base offset; between them there may be gaps, which
    compaction leaves. All that changes a disk happens inside `transaction()`.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._values = {}
        self._logs = {}
        self._cuts = {}
        self._lock = threading.RLock()
        self._undo: Any = None  # the steps back of the transaction that runs

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Self]:
        """Run a block that changes the disk wholly, or not at all when it raises or dies.

        Only one transaction runs at a time, in all processes; it sees all that was committed before it began. A
        transaction inside one of the same disk and thread is part of it.
        """
        with self._lock:
            if self._undo is not None:
                yield self
                return
            self._undo = []
            try:
                yield self
            except BaseException:
                for step in reversed(self._undo):
                    step()
                raise
            finally:
                self._undo = None

    @contextlib.contextmanager
    def reading(self) -> Iterator[Self]:
        """Run a block that reads one state of the disk, even if others write meanwhile."""
        with self._lock:
            yield self

    def get(self, key: str, default: Value = None) -> Value:
        """Return the small value that `put` kept under this text, as a new object."""
        text = self._values.get(key)
        return default if text is None else decode(text)

    def put(self, key: str, value: Value) -> None:
        """Keep a small value that `stores.codec` knows, in place of the earlier one."""
        self._changing()
        old, text = self._values.get(key), encode(value)
        self._values[key] = text
        self._undo.append(lambda: self._values.pop(key) if old is None else self._values.update({key: old}))

    def status(self, replica: str) -> tuple[int, int]:
        """Return (cuts, end): how often something was taken from this replica, and the offset after its last batch.

        `cuts` grows with every `truncate`, `delete_before` and `replace`: while it stays, batches were only added.
        `end` is 0 for a replica without batches.
        """
        log = self._logs.get(replica)
        return self._cuts.get(replica, 0), log[-1].end if log else 0

    def append(self, replica: str, batch: Batch) -> None:
        """Add a whole batch after the last one. Raises `BadInput` when its base offset lies before the end."""
        self._changing()
        log = self._logs.setdefault(replica, [])
        if log and batch.base < log[-1].end:
            raise BadInput(
                f"{replica} ends at offset {log[-1].end}; a batch with base offset {batch.base} overlaps it."
            )
        log.append(batch)
        self._undo.append(log.pop)

    def headers(self, replica: str, start: int = 0) -> list[Batch]:
        """Return the batches that end after offset `start`, in order, without their payloads."""
        log = self._logs.get(replica, [])
        return [batch._replace(payload=None) for batch in log[_first(log, start) :]]

    def batches(self, replica: str, start: int = 0, limit: int | None = None) -> list[Batch]:
        """Return the batches that end after offset `start`, in order, with payloads.

        With a `limit`, none whose base offset is `limit` or more.
        """
        log = self._logs.get(replica, [])
        until = len(log) if limit is None else bisect_left(log, limit, key=lambda batch: batch.base)
        return log[_first(log, start) : until]

    scan = batches  # over a file, one at a time

    def close(self) -> None:
        """Release what is open: nothing."""

    def truncate(self, replica: str, offset: int) -> None:
        """Take away every batch that ends after `offset`."""
        self._set(replica, [batch for batch in self._logs.get(replica, []) if batch.end <= offset])

    def delete_before(self, replica: str, offset: int) -> None:
        """Take away every batch that ends at or before `offset`."""
        self._set(replica, [batch for batch in self._logs.get(replica, []) if batch.end > offset])

    def replace(self, replica: str, start: int, end: int, batches: Iterable[Batch]) -> None:
        """Put `batches` in place of those with base offsets from `start` to below `end`, after compaction."""
        log = self._logs.get(replica, [])
        kept = [batch for batch in log if not start <= batch.base < end]
        self._set(replica, sorted([*kept, *batches], key=lambda batch: batch.base))

    def dump(self) -> dict[str, Any]:
        """Return all contents as plain data, which `MemoryDisk.load` takes: equal disks give equal data."""
        logs = {
            name: [[*batch[:-1], batch.payload.decode("latin-1")] for batch in log]
            for name, log in sorted(self._logs.items())
            if log
        }
        return {"name": self.name, "values": dict(sorted(self._values.items())), "logs": logs}

    @classmethod
    def load(cls, dump: Mapping[str, Any]) -> Self:
        """Return a disk with the contents of a `dump`."""
        disk = cls(dump["name"])
        disk._values = dict(dump["values"])
        disk._logs = {
            name: [Batch._make([*fields[:-1], fields[-1].encode("latin-1")]) for fields in log]
            for name, log in dump["logs"].items()
        }
        return disk

    def _set(self, replica: str, log: list[Batch]) -> None:
        self._changing()
        old, cuts = self._logs.get(replica, []), self._cuts.get(replica, 0)
        self._logs[replica], self._cuts[replica] = log, cuts + 1
        # what was seen of the new log inside the transaction is not seen again: the number of cuts goes on
        self._undo.append(lambda: (self._logs.update({replica: old}), self._cuts.update({replica: cuts + 2})))

    def _changing(self) -> None:
        if self._undo is None:
            raise BadInput(f"The disk {self.name} is changed only inside its transaction().")


def _first(log: list[Batch], start: int) -> int:
    """Return the place of the first batch that ends after `start`."""
    return bisect_left(log, start + 1, key=lambda batch: batch.end)
