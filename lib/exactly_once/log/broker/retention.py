"""Removal from a log: old segments by age or size, and, by compaction, all but the newest record of a key.

Segments go whole. Compaction touches closed ones alone, and only committed and stable records; retention takes the
newest one too, once all of it is committed and too old: it closes it by that. Compaction takes the records of aborted
transactions, and after a while the markers of transactions of which no record is left; of one that is open it takes
nothing. Retention looks at age and size alone, as Kafka's does: the remaining records of an aborted transaction stay
hidden, and the last stable offset is never before the log start. Source: Kafka's documentation, "Log Compaction", its
`LogCleaner`, and `deletableSegments` and `deleteOldSegments` of its `UnifiedLog`.
"""

from collections.abc import Sequence
from typing import Any

from ..storage.records import MARKERS, TRANSACTIONAL, Batch, Record, pack
from .replica import Replica
from .topics import Topic


def retain(log: Any) -> int:
    """Apply every topic's retention. Returns how many segments went, over all leaders."""
    gone, now = 0, log.clock()
    for topic, number in log.places():
        if topic.retention_ms is None and topic.retention_bytes is None:
            continue
        leader = log.controller.partition(topic.name, number).leader
        if leader is None:
            continue
        with log.replica(leader, topic, number).changing() as replica:
            segments = segments_below(replica, replica.high_watermark)
            size = sum(batch.size for batch in replica.disk.headers(replica.name))
            for _, end, newest, bytes_there in segments:
                old = topic.retention_ms is not None and now - newest > topic.retention_ms
                large = topic.retention_bytes is not None and size - bytes_there >= topic.retention_bytes
                if not (old or large):
                    break
                replica.delete_before(end)
                size -= bytes_there
                gone += 1
        log.caught_up(topic.name, number)
    return gone


def segments_below(replica: Replica, limit: int, closed: bool = False) -> list[tuple[int, int, int, int]]:
    """Return (base, end, newest time, bytes) of each segment that ends at or below offset `limit`, in order.

    `closed`: without the newest one, to which the next batch may be added.
    """
    segments = {}
    for batch in replica.disk.headers(replica.name):
        _, newest, size = segments.get(batch.segment, (0, 0, 0))
        segments[batch.segment] = (batch.end, max(newest, batch.time), size + batch.size)
    found = [(base, *rest) for base, rest in sorted(segments.items())]
    return [segment for segment in (found[:-1] if closed else found) if segment[1] <= limit]


def compact(log: Any, topic: Topic, partition: int, tombstone_ms: int) -> int:
    """Compact a partition on every living replica. Returns how many records went at the leader."""
    leader, gone = log.leader(topic.name, partition), 0
    for broker in log.replicas(topic.name, partition):
        if broker in log.alive:
            with log.replica(broker, topic, partition).changing() as replica:
                went = _compact(replica, log.clock(), tombstone_ms)
            gone = went if broker == leader else gone
    return gone


def _compact(replica: Replica, now: int, tombstone_ms: int) -> int:
    segments = segments_below(replica, replica.last_stable, closed=True)
    if not segments:
        return 0
    end = segments[-1][1]
    batches = replica.disk.batches(replica.name, replica.start, end)
    hides = replica.log_index.producers.is_aborted
    kept = {batch.base: [] if hides(batch) else batch.records() for batch in batches}
    newest = {record.key: record.offset for records in kept.values() for record in records if record.key is not None}
    gone, left, held = 0, [], set()  # producers of whose transaction records are left
    for batch in batches:
        old = now - batch.time > tombstone_ms
        if batch.kind in MARKERS:
            if batch.producer in held or not old:
                left.append(batch)
            held.discard(batch.producer)
            continue
        records = [
            record
            for record in kept[batch.base]
            if record.key is None or (newest[record.key] == record.offset and not (old and record.value is None))
        ]
        before = len(batch.records())
        gone += before - len(records)
        if records and batch.kind == TRANSACTIONAL:
            held.add(batch.producer)
        if len(records) == before:
            left.append(batch)
        elif records:
            left.append(_sparse(batch, records))
    if len(left) < len(batches) or gone:
        replica.put_compacted(batches[0].base, end, left)
    return gone


def _sparse(batch: Batch, records: Sequence[Record]) -> Batch:
    deltas = [record.offset - batch.base for record in records]
    form, payload = pack([(record.key, record.value) for record in records], deltas)
    return batch._replace(form=form, payload=payload, size=len(payload))
