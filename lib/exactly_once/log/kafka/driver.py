"""The operations of a case, carried out on a real broker; and the table of where the course's log and it differ."""

import itertools
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from ...paths import FileName
from ...servers.kafka.broker import Kafka
from ..cases.driver import Driver, place_named
from ..cases.judging import protocols, run_case, why_not
from ..cases.reading import read_cases
from ..errors import ConcurrentTransactions
from . import wire
from .requests import RETRY_SECONDS, Requests, key_and_value, visible

UNVERIFIED = "transaction.partition.verification.enable=false"
RETRY_LIMIT = 10.0  # s that a driver asks again after `ConcurrentTransactions`
_numbers = itertools.count(1)


class BrokerDriver(Driver):
    """A real broker for one case: a topic, ids and groups of its own instead of a fresh broker.

    What belongs to no transaction of the coordinator's (`raw_txn`) goes to a broker that does not ask the coordinator,
    as brokers before 3.6 did not.
    """

    ABILITIES = frozenset(
        "raw_pid raw_txn marker_offsets restart restart_clean delete_records coordinator groups describe "
        "verification".split()
    )
    SETTINGS = frozenset(("partitions", "replication"))

    def __init__(self, case: dict[str, Any], protocol: str = "1") -> None:
        self.raw = "raw_txn" in case["requires"] and "verification" not in case["requires"]
        self.server = Kafka.shared(**({"settings": (UNVERIFIED,)} if self.raw else {}))
        self.kafka = Requests(self.server.where, 2 if protocol == "2" and not self.raw else 1)
        self.prefix = f"case-{next(_numbers)}-"
        self.names, self.labels, self.numbers = {}, {}, {}
        places = [place_named(name) for name in case["setup"].get("partitions", ["t-0"])]
        for topic in sorted({topic for topic, _ in places}):
            self.kafka.create_topic(self.prefix + topic, 1 + max(number for one, number in places if one == topic))

    def close(self) -> None:
        """Close the connections; the broker goes on."""
        self.kafka.close()

    def do_init_producer(self, step):
        """An incarnation of a producer; without transactional id, a producer id."""
        name = step.get("transactional_id")
        if name is None:
            return self._named_now(step, *self.kafka.init_producer(None))
        name, known = self.prefix + name, self._whom(step) if step.get("pid") is not None else (None, None)
        asked = name, step.get("timeout_ms", 60_000), *known
        found = self._tried(lambda: self.kafka.init_producer(*asked), step.get("retry", True))
        self.kafka.settled(name)
        return self._named_now(step, *found)

    def do_add_partitions(self, step):
        """Partitions for a producer's transaction."""
        asked = self.prefix + step["transactional_id"], *self._whom(step), [self._place(one) for one in step["partitions"]]
        self._tried(lambda: self.kafka.note_partitions(*asked))
        return {}

    def do_add_offsets(self, step):
        """A group's offsets for a producer's transaction."""
        asked = self.prefix + step["transactional_id"], *self._whom(step), self.prefix + step["group"]
        self._tried(lambda: self.kafka.add_offsets(*asked))
        return {}

    def do_commit_offsets(self, step):
        """Offsets, of a transaction or not."""
        group = self.prefix + step["group"]
        offsets = {self.prefix + name: offset for name, offset in step["offsets"].items()}
        if step.get("pid") is None:
            self.kafka.commit_offsets(group, offsets)
        else:
            topics = [(topic, [(number, offset, -1, None)]) for (topic, number), offset in zip(
                map(self._place, step["offsets"]), offsets.values(), strict=True)]  # fmt: skip
            asked = self.prefix + step["transactional_id"], group, *self._whom(step), -1, "", topics
            self._tried(lambda: self.kafka.txn_offset_commit(*asked))
        return {}

    def do_fetch_offsets(self, step):
        """The committed offsets of a group."""
        asked = self.prefix + step["group"], *self._place(step["partition"]), step.get("require_stable", False)
        return {"offset": self.kafka.committed_offset(*asked)}

    def do_end_txn(self, step):
        """The decision, and its markers."""
        name = self.prefix + step["transactional_id"]
        found = self._tried(lambda: self.kafka.end(name, *self._whom(step), step["result"]))
        self.kafka.settled(name)
        return self._named_now(step, *found)

    def do_describe_txn(self, step):
        """The state of a transaction."""
        return {"state": self.kafka.describe(self.prefix + step["transactional_id"])}

    def do_append(self, step):
        """A batch for the leader."""
        topic, partition = self._place(step["partition"])
        producer, epoch, sequence = self._identity(step)
        whom = (-1, -1, -1) if producer is None else (producer, epoch, sequence)
        if step["txn"]:
            self.kafka.names.setdefault(producer, "raw")
        before = self.kafka.end_offset(topic, partition)
        asked = f"{topic}-{partition}", step["values"], *whom, step.get("acks", "all"), step["txn"]
        offset = self._tried(lambda: self.kafka.append(*asked))
        if sequence is not None:
            self.numbers[producer, epoch, step["partition"]] = (sequence + len(step["values"])) % 2**31
        return {"offset": offset, "duplicate": self.kafka.end_offset(topic, partition) == before}

    def do_write_marker(self, step):
        """A transaction's end, directly at the partition."""
        place = self._place(step["partition"])
        whom = self._producer(step["pid"]), self._epoch(step["epoch"])
        end = self.kafka.end_offset(*place)
        self.kafka.write_marker(*place, *whom, step["result"], step["coordinator_epoch"], step.get("rules", 1))
        return {"offset": end}

    def do_fetch(self, step):
        """All that a reader sees from an offset on."""
        place, isolation, at = self._place(step["partition"]), step["isolation"], step.get("from", 0)
        batches, found, start = [], [], at
        while True:
            more, said = self.kafka.fetch_batches(*place, at, isolation)
            batches, found = batches + more, found + [one for one in said["aborted_transactions"] or () if one not in found]
            if not more:
                break
            at = more[-1].end
        records = [(one.offset, key_and_value(one)[1]) for one in visible(batches, found, start)]
        return {
            "records": [list(one) for one in records],
            "values": [value for _, value in records],
            "end": said["last_stable_offset" if isolation == "read_committed" else "high_watermark"],
            "aborted": [[one["producer_id"], one["first_offset"]] for one in found],
        }

    def do_delete_records(self, step):
        """A new log start."""
        self.kafka.delete_records(*self._place(step["partition"]), step["before"])
        return {}

    def do_restart(self, step):
        """The broker is killed, or stopped in good order, and starts again."""
        self.kafka.close()
        if step["mode"] == "crash":
            self.server.kill()
            self.server.start()
        else:
            self.server.restart()
        return {}

    def _tried(self, ask, again=True):
        deadline = time.monotonic() + RETRY_LIMIT
        while True:
            try:
                return ask()
            except ConcurrentTransactions:
                if not again or time.monotonic() > deadline:
                    raise
                time.sleep(RETRY_SECONDS)

    def _producer(self, name):
        if not isinstance(name, str) and name not in self.labels:
            self.labels[name] = self.kafka.init_producer(None)[0]
        return super()._producer(name)

    def _place(self, name):
        topic, number = place_named(name)
        return self.prefix + topic, number


class Difference(NamedTuple):
    """How a case went on the course's log and on the broker: "passed", "failed" or "skipped", and why."""

    case: str
    title: str
    protocol: str
    log: str
    broker: str
    reason: str

    @property
    def differs(self) -> bool:
        """Tell whether both were asked, and did not answer alike."""
        return self.broker != "skipped" and self.log != self.broker


def compared(path: FileName, only: Iterable[str] = ()) -> list[Difference]:
    """Run the cases of a file, with each transaction protocol, on the course's log and on a broker of its own.

    `only` names the cases to run; all by default. Starts the broker. Raises `BadInput` for a file without cases.
    """
    found, only = [], set(only)
    for case in read_cases(path):
        if only and case["id"] not in only:
            continue
        for protocol in protocols(case):
            ours = run_case(case, lambda one, protocol=protocol: Driver(one, protocol=protocol))
            reason = unposable(case)
            theirs = None if reason else run_case(case, lambda one, protocol=protocol: BrokerDriver(one, protocol))
            said = [text for text in (ours.reason, reason or (theirs.reason if theirs else "")) if text]
            found.append(
                Difference(
                    case["id"], case.get("title", ""), protocol, ours.outcome, theirs.outcome if theirs else "skipped",
                    "; ".join(said),
                )
            )  # fmt: skip
    return found


def unposable(case: dict[str, Any]) -> str | None:
    """Return why a client cannot pose a case to a broker, or None."""
    other = sorted(set(case["setup"]) - BrokerDriver.SETTINGS)
    return why_not(case, BrokerDriver) or (f"it needs a broker with other settings: {', '.join(other)}" if other else None)
