"""The promise for each record, and whether it was kept; and all of a log as plain data, for those who draw it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .storage.records import COMMIT, MARKERS, Batch

NONE, LEADER, COMMITTED = "none", "leader", "committed"
STRENGTH = (NONE, LEADER, COMMITTED)


class Ledger:
    """An observer's list of all batches that were written, with the promise that their sender got.

    "none": the sender has no answer, so nothing was promised; "leader": the leader had it (acks=1); "committed": all
    in-sync replicas had it (acks="all"). It is in nobody's way: the log never looks at it.
    """

    def __init__(self, entries: Iterable[Mapping[str, Any]] = ()) -> None:
        self.entries = [dict(entry) for entry in entries]

    def note(self, receipt: Any, batch: Batch, acks: int | str) -> None:
        """Note that a leader took in a batch."""
        promise = LEADER if acks == 1 else NONE
        if receipt.duplicate:
            for entry in self.entries:
                if self._place(entry) == (receipt.topic, receipt.partition, receipt.offset):
                    entry["promise"] = max(entry["promise"], promise, key=STRENGTH.index)
                    entry["acks"] = "all" if acks == "all" else entry["acks"]
            return
        records = [] if batch.kind in MARKERS else [[one.key, one.value] for one in batch.records()]
        self.entries.append(
            {
                "topic": receipt.topic,
                "partition": receipt.partition,
                "offset": receipt.offset,
                "count": receipt.count,
                "epoch": receipt.epoch,
                "records": records,
                "acks": acks,
                "promise": promise,
            }
        )

    def update(self, log: Any) -> None:
        """Note the answers that leaders give by now: those to acks="all", once the high watermark has passed."""
        for entry in self.entries:
            if entry["acks"] == "all" and entry["promise"] != COMMITTED:
                state = _leaders(log, entry)
                if state and _holds(state, entry) and state[1] >= entry["offset"] + entry["count"]:
                    entry["promise"] = COMMITTED

    def judged(self, log: Any) -> list[dict[str, Any]]:
        """Return the entries with "lost": whether the partition's leader lacks the batch; None without a leader."""
        found = []
        for entry in self.entries:
            state = _leaders(log, entry)
            found.append(entry | {"lost": None if state is None else not _holds(state, entry)})
        return found

    def dump(self) -> list[dict[str, Any]]:
        """Return the entries, as plain data."""
        return [dict(entry) for entry in self.entries]

    @staticmethod
    def _place(entry: Mapping[str, Any]) -> tuple[str, int, int]:
        return entry["topic"], entry["partition"], entry["offset"]


def _leaders(log: Any, entry: Mapping[str, Any]) -> tuple[Any, int, int] | None:
    """Return (epochs, high watermark, end) of the leader of an entry's partition, or None."""
    topic = log.topic(entry["topic"], entry["partition"])
    leader = log.controller.partition(topic.name, entry["partition"]).leader
    if leader is None:
        return None
    with log.replica(leader, topic, entry["partition"]).reading() as replica:
        return replica.log_index.epochs, replica.high_watermark, replica.end


def _holds(state: tuple[Any, int, int], entry: Mapping[str, Any]) -> bool:
    """Tell whether a log holds a batch: two logs with a record of one epoch at one offset have the same one there."""
    epochs, _, end = state
    last = entry["offset"] + entry["count"] - 1
    return last < end and epochs.at(last) == entry["epoch"]


def snapshot(log: Any) -> dict[str, Any]:
    """Return a log as plain data: its partitions with their replicas, down to the records, and the promises."""
    alive, paused = log.alive, log.controller.paused()
    judged = log.ledger.judged(log) if log.ledger is not None else []
    partitions = []
    for topic, number in log.places():
        now = log.controller.partition(topic.name, number)
        mine = [entry for entry in judged if (entry["topic"], entry["partition"]) == (topic.name, number)]
        replicas = [
            _replica(log.replica(broker, topic, number), now, broker in alive, broker in paused, mine)
            for broker in topic.brokers_of(number, log.brokers)
        ]
        leads = next((one for one in replicas if one["leader"]), None)
        partitions.append(
            {
                "topic": topic.name,
                "partition": number,
                "leader": now.leader,
                "epoch": now.epoch,
                "isr": list(now.isr),
                "min_insync_replicas": topic.min_insync_replicas,
                "start": leads and leads["start"],
                "high_watermark": leads and leads["high_watermark"],
                "stable": leads and leads["stable"],
                "end": leads and leads["end"],
                "replicas": replicas,
                "promises": [one for entry in mine for one in _records_of(entry)],
            }
        )
    return {"brokers": log.brokers, "alive": alive, "paused": paused, "partitions": partitions}


def _replica(
    replica: Any, now: Any, alive: bool, paused: bool, entries: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    promises = {(entry["epoch"], entry["offset"] + n): entry for entry in entries for n in range(entry["count"])}
    with replica.reading():
        records = []
        for batch in replica.disk.batches(replica.name, replica.start):
            if batch.kind in MARKERS:
                found = [(batch.base, None, "commit" if batch.kind == COMMIT else "abort")]
            else:
                found = [record[:3] for record in batch.records()]
            for offset, key, value in found:
                entry = promises.get((batch.epoch, offset))
                records.append(
                    {
                        "offset": offset,
                        "key": key,
                        "value": value,
                        "kind": batch.kind,
                        "epoch": batch.epoch,
                        "segment": batch.segment,
                        "committed": offset < replica.high_watermark,
                        "promise": entry and entry["promise"],
                    }
                )
        return {
            "broker": replica.broker,
            "alive": alive,
            "paused": paused,
            "leader": now.leader == replica.broker,
            "in_sync": replica.broker in now.isr,
            "start": replica.start,
            "end": replica.end,
            "high_watermark": replica.high_watermark,
            "stable": replica.last_stable,
            "epochs": [list(start) for start in replica.log_index.epochs.starts],
            "records": [record for record in records if record["offset"] >= replica.start],
        }


def _records_of(entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for number, (key, value) in enumerate(entry["records"]):
        yield {
            "offset": entry["offset"] + number,
            "epoch": entry["epoch"],
            "key": key,
            "value": value,
            "acks": entry["acks"],
            "promise": entry["promise"],
            "lost": entry["lost"],
        }
