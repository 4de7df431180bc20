"""What an operator asks when a read_committed reader stands still: what holds the partition back.

`diagnose` asks the broker and Kafka's own tool, `kafka-transactions.sh` (KIP-664): `describe-producers` names the
producers that hold a partition back, `list` and `describe` what the coordinator knows of them.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from ...log.kafka.kafka_log import KafkaLog
from ...log.transactions.rules import ONGOING
from ...servers.kafka import Kafka
from .trials.trial import table

TOOL = "TransactionsCommand"
NONE = "None"  # as the tool writes it


class Holder(NamedTuple):
    """A producer with a transaction open in a partition, from offset `start` on.

    `transactional_id` and `state` are the coordinator's, "" where it knows none; `partitions` are those of the
    transaction that it has.
    """

    producer: int
    epoch: int
    start: int
    transactional_id: str = ""
    state: str = ""
    partitions: str = ""


@dataclass(frozen=True, repr=False)
class Diagnosis:
    """What holds a partition back: its offsets, and its `holders`."""

    topic: str
    partition: int
    last_stable: int
    high_watermark: int
    holders: tuple[Holder, ...]

    @property
    def hanging(self) -> tuple[Holder, ...]:
        """The holders whose transaction no coordinator will end."""
        place = f"{self.topic}-{self.partition}"
        return tuple(one for one in self.holders if one.state != ONGOING or place not in one.partitions.split(","))

    @property
    def command(self) -> str:
        """The command that frees the partition; "" if none is due."""
        start = min((one.start for one in self.hanging), default=None)
        place = f"--topic {self.topic} --partition {self.partition}"
        return "" if start is None else f"kafka-transactions.sh abort {place} --start-offset {start}"

    def __repr__(self) -> str:
        said = f"{self.high_watermark - self.last_stable} offsets wait behind the last stable offset. "
        if not self.holders:
            said = "Nobody holds the partition: what a reader does not see yet, it will."
        elif self.hanging:
            said += f"No coordinator will end this transaction: it hangs. Run {self.command}"
        else:
            said += "The coordinator ends this transaction at its time limit, if its producer does not before."
        offsets = f"last stable offset {self.last_stable}, high watermark {self.high_watermark}"
        return f"{self.topic}-{self.partition}: {offsets}\n{table(Holder._fields, self.holders)}\n{said}"


def diagnose(topic: str, partition: int = 0, kafka: Kafka | None = None) -> Diagnosis:
    """Find out what holds a partition back from read_committed readers. It takes 3 s, for Kafka's tools.

    Raises `UnknownTopicOrPartition`.
    """
    kafka = kafka or Kafka.shared()

    def told(*asked: str) -> list[dict[str, str]]:
        """Return the table that Kafka's tool prints, with tabs between its columns."""
        heads, *lines = (line.split("\t") for line in kafka.tool(TOOL, *asked).splitlines() if line.strip())
        return [{head.strip(): cell.strip() for head, cell in zip(heads, line, strict=False)} for line in lines]

    with KafkaLog(kafka.where) as log:
        offsets = log.last_stable(topic, partition), log.high_watermark(topic, partition)
    with ThreadPoolExecutor(1) as meanwhile:
        listed = meanwhile.submit(told, "list")
        active = told("describe-producers", "--topic", topic, "--partition", str(partition))
        known = {one["ProducerId"]: one["TransactionalId"] for one in listed.result()}
    holders = []
    for one in active:
        if one["CurrentTransactionStartOffset"] != NONE:
            said: tuple[str, ...] = ()
            if name := known.get(one["ProducerId"]):
                (now,) = told("describe", "--transactional-id", name)
                said = name, now["TransactionState"], now["TopicPartitions"]
            numbers = int(one["ProducerId"]), int(one["ProducerEpoch"]), int(one["CurrentTransactionStartOffset"])
            holders.append(Holder(*numbers, *said))
    return Diagnosis(topic, partition, *offsets, tuple(holders))
