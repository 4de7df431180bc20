"""Records, which clients see, and batches of records, which disks keep.

A batch is written, copied and lost as a whole, as in Kafka's message format v2. Its payload holds the records in one
of two forms: "records" (keys and values one after the other) or "sparse" (the same, after compaction has left gaps).
"""

import struct
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise, repeat
from typing import Any, NamedTuple, TypeAlias

from ...stores.codec import Value, decode, encode
from ..log_errors import CorruptLog

Key: TypeAlias = bytes | str | None
NOBODY = -1  # producer id, epoch, sequence and coordinator epoch of a batch that has none
PLAIN, TRANSACTIONAL, COMMIT, ABORT = "plain", "transactional", "commit", "abort"
MARKERS = (COMMIT, ABORT)
RECORDS, SPARSE = "records", "sparse"
COUNT = struct.Struct("<I")


class Pair(NamedTuple):
    """A record that is to be written: a key and a value."""

    key: Key
    value: Value


class Record(NamedTuple):
    """A record as a reader gets it; `time` is its batch's, in milliseconds."""

    offset: int
    key: Key
    value: Value
    partition: int = 0
    time: int = 0


class Batch(NamedTuple):
    """The unit that a disk stores whole or not at all; without `payload` it is a batch's header.

    It takes the offsets from `base` to `base + count - 1`. `epoch` is the leader epoch in which it was first written,
    `segment` the base offset of the segment it lies in, `time` in milliseconds, `size` its payload's in bytes.
    `coordinator` is the coordinator's epoch, in markers.
    """

    base: int
    count: int  # type: ignore[assignment]  # it hides tuple.count, as is meant
    epoch: int
    segment: int
    time: int
    kind: str
    producer: int
    producer_epoch: int
    sequence: int
    coordinator: int
    form: str
    size: int
    payload: bytes | None = None

    @property
    def end(self) -> int:
        """The first offset after this batch."""
        return self.base + self.count

    def records(self, partition: int = 0) -> list[Record]:
        """Return the records; a marker has none. Raises `CorruptLog` for an altered payload."""
        if self.kind in MARKERS:
            return []
        try:
            assert self.payload is not None, "a header alone has no records"
            deltas, keys, values = unpack(self.payload, self.form)
        except (ValueError, IndexError, KeyError, struct.error) as why:
            raise CorruptLog(f"The batch at offset {self.base} cannot be read: {why}.") from why
        offsets = range(self.base, self.end) if deltas is None else [self.base + delta for delta in deltas]
        if len(offsets) != len(keys):
            raise CorruptLog(f"The batch at offset {self.base} holds {len(keys)} records instead of {len(offsets)}.")
        rows = zip(offsets, keys, values, repeat(partition), repeat(self.time), strict=False)
        return list(map(tuple.__new__, repeat(Record), rows))  # as Record._make does, in half the time

    def within(self, start: int, end: int, partition: int = 0) -> list[Record]:
        """Return the records with offsets from `start` to below `end`."""
        records = self.records(partition)
        if start <= self.base and self.end <= end:
            return records
        return [record for record in records if start <= record.offset < end]


HEADER = Batch._fields[:-1]


def pack(pairs: Iterable[tuple[Key, Value]], deltas: Sequence[int] | None = None) -> tuple[str, bytes]:
    """Return (form, payload) of records, given as (key, value) pairs.

    `deltas` are their distances from the batch's base offset, if they leave gaps.
    """
    pairs = list(pairs)
    (keys, key_parts), (values, value_parts) = map(_flattened, zip(*pairs, strict=True))
    lengths = [*map(len, key_parts), *map(len, value_parts)]
    head = [COUNT.pack(len(pairs)), keys.encode(), values.encode(), struct.pack(f"<{len(lengths)}I", *lengths)]
    if deltas is not None:
        head.append(struct.pack(f"<{len(deltas)}I", *deltas))
    return (RECORDS if deltas is None else SPARSE), b"".join([*head, *key_parts, *value_parts])


def unpack(payload: bytes, form: str) -> tuple[tuple[int, ...] | None, list[Key], list[Value]]:
    """Return (deltas or None, keys, values) of a payload that `pack` made."""
    (count,) = COUNT.unpack_from(payload)
    at = COUNT.size
    kinds = payload[at : at + 2 * count].decode("ascii")
    at += 2 * count
    lengths = struct.unpack_from(f"<{2 * count}I", payload, at)
    at += 8 * count
    deltas = None
    if form == SPARSE:
        deltas = struct.unpack_from(f"<{count}I", payload, at)
        at += 4 * count
    keys, at = _revived(payload, kinds[:count], lengths[:count], at)
    values, at = _revived(payload, kinds[count:], lengths[count:], at)
    if len(kinds) != len(lengths) or at != len(payload):
        raise ValueError(f"it has {len(payload)} bytes instead of {at}")
    return deltas, keys, values


def _flattened(column: Sequence[Any]) -> tuple[str, Sequence[bytes]]:
    """Return the kinds of keys or of values, a letter each, and their bytes."""
    if set(map(type, column)) == {bytes}:
        return "b" * len(column), column
    if set(map(type, column)) == {type(None)}:
        return "n" * len(column), [b""] * len(column)
    kinds = "".join([KINDS.get(type(part)) or _kind(part) for part in column])
    return kinds, [
        part if kind == "b" else b"" if kind == "n" else part.encode() if kind == "s" else encode(part).encode()
        for kind, part in zip(kinds, column, strict=True)
    ]


def _revived(payload: bytes, kinds: str, lengths: Sequence[int], at: int) -> tuple[list[Any], int]:
    """Return the keys or values of these kinds and lengths that stand at a place, and the place after them."""
    if not kinds.strip("n"):
        return [None] * len(kinds), at
    places = list(accumulate(lengths, initial=at))
    parts = [payload[start:end] for start, end in pairwise(places)]
    if kinds.strip("b"):
        parts = [part if kind == "b" else REVIVE[kind](part) for kind, part in zip(kinds, parts, strict=True)]
    return parts, places[-1]


KINDS = {bytes: "b", str: "s", type(None): "n"}  # "j" for all else: what `stores.codec` makes of it
REVIVE: dict[str, Any] = {"s": bytes.decode, "n": lambda _: None, "j": lambda part: decode(part.decode())}


def _kind(part: object) -> str:
    return "b" if isinstance(part, bytes) else "s" if isinstance(part, str) else "j"
