"""Check the records of a client and make a batch of them."""

from collections.abc import Iterable
from itertools import repeat
from typing import Any

from ...errors import BadInput
from ..broker.topics import Topic
from ..log_errors import InvalidRecord, RecordTooLarge
from ..storage.records import NOBODY, RECORDS, Batch, Pair, pack
from .partitioner import key_bytes


def draft(
    kind: str,
    count: int,
    time: int,
    whom: tuple[int, int, int],
    form: str = RECORDS,
    payload: bytes = b"",
    coordinator: int = NOBODY,
) -> Batch:
    """Return a batch that has no place yet; the leader gives it base offset, leader epoch and segment."""
    return Batch(-1, count, -1, -1, time, kind, *whom, coordinator, form, len(payload), payload)


def batch_of(settings: Topic, records: Any, kind: str, whom: tuple[int, int, int], time: int) -> Batch:
    """Return the draft of a batch with these records.

    Raises `BadInput` for values that are no records, `InvalidRecord` for one without key in a compacted topic, and
    `RecordTooLarge`.
    """
    if isinstance(records, (str, bytes, dict)) or not hasattr(records, "__iter__"):
        raise BadInput(f"The records are {records!r}; give a list of values, or of Pair(key, value).")
    records = list(records)
    if not records:
        raise BadInput("The list of records is empty; a batch has at least one.")
    keyed = Pair in set(map(type, records))
    if keyed:
        pairs = [record if isinstance(record, Pair) else (None, record) for record in records]
    else:
        pairs = list(zip(repeat(None), records, strict=False))
    for key, _ in pairs if keyed or settings.compact else ():
        if key is not None:
            if type(key) not in (str, bytes):
                key_bytes(key)
        elif settings.compact:
            raise InvalidRecord(f"A record without a key cannot go to {settings.name!r}, which is compacted by key.")
    try:
        form, payload = pack(pairs)
    except UnicodeEncodeError as why:
        raise BadInput(f"A record holds the text {why.object[:40]!r}; half a character is no UTF-8.") from None
    if len(payload) > settings.max_record_bytes:
        _check_sizes(settings, pairs)
    return draft(kind, len(pairs), time, whom, form, payload)


def _check_sizes(settings: Topic, pairs: Iterable[tuple[Any, Any]]) -> None:
    empty = len(pack([Pair(None, None)])[1])
    for number, pair in enumerate(pairs):
        size = len(pack([pair])[1]) - empty
        if size > settings.max_record_bytes:
            raise RecordTooLarge(
                f"Record {number} has {size} bytes; {settings.name!r} takes at most {settings.max_record_bytes}. "
                "Send less, or create the topic with a larger max_record_bytes."
            )
