"""A transaction that hangs, and what an operator asks then; and what a restarted broker knows of a producer.

When a read_committed reader stands still, `diagnose` asks the broker and Kafka's own tool, `kafka-transactions.sh`
(KIP-664): `describe-producers` names the producers that hold a partition back, `list` and `describe` what the
coordinator knows of them. Source: KIP-890, Motivation, for what hangs.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ....errors import one_of
from ....log.errors import LogError
from ....log.kafka.connection import packed
from ....log.kafka.log import KafkaLog
from ....log.reading import ISOLATIONS
from ....servers.kafka import Kafka
from .proxy import HELD, PRODUCE, Proxy
from .trial import ACCEPTED, SOONER, Act, Trial, table

TOOL = "TransactionsCommand"
ONGOING = "Ongoing"
NONE = "None"  # as the tool writes it
ANSWER_MS = 2_000  # that a producer waits for an answer to the record that is held
FIVE = 5  # batches of a producer that a leader remembers
HOWS = {"killed": "killed", "in good order": "restarted in good order"}
DUPLICATE = "accepted as a duplicate"


class HangingTransaction(Trial):
    """A partition `topic`-0 of `kafka` with a transaction that hangs from offset `start` on, if it `hangs`."""

    def offsets(self) -> dict[str, object]:
        """Return the two offsets that matter, and what readers of both levels see."""
        with self.log as log:
            seen: dict[str, object] = {level: self.values("output", level) for level in ISOLATIONS}
            stable, end = log.last_stable("output", 0), log.high_watermark("output", 0)
            return {"last stable offset": stable, "high watermark": end} | seen

    def end(self) -> dict[str, object]:
        """Have Kafka's own tool write the missing marker: `kafka-transactions.sh abort`. Returns the offsets then."""
        place = "--topic", self.topic, "--partition", "0", "--start-offset", str(self.start)
        self.kafka.tool(TOOL, "abort", *place)
        return self.offsets()


def hanging_transaction(kafka: Kafka | None = None) -> HangingTransaction:
    """Have a proxy hold one record of librdkafka's back until its transaction is aborted, and then send it on.

    `kafka` is by default one whose leaders do not ask the coordinator; with another one the record is refused, and
    nothing hangs. It takes 3 s, and the start of the broker.
    """
    trial = HangingTransaction(kafka, settings=SOONER).run(_late)
    trial.sentence = "The leader asked the coordinator, and refused the late record: nothing hangs."
    if trial.hangs:
        says = f"The coordinator says {trial.steps[3].hears}"
        trial.sentence = f"{says}, and the last stable offset of {trial.topic}-0 stays {trial.start}."
    return trial


def _late(trial: HangingTransaction) -> Iterator[Act]:
    log, trial.topic = trial.log, f"{trial.names}output"
    log.create_topic("output")
    with Proxy(trial.kafka.where) as proxy:
        producer = trial.producer(proxy.where, message_timeout_ms=ANSWER_MS)
        yield "producer", "send 'in time'", lambda: producer.send(f"{trial.topic}-0", ["in time"])
        proxy.faults[PRODUCE] = HELD
        key, value, headers = packed("late")
        producer.sender.produce(trial.topic, value, key, partition=0, headers=headers)
        proxy.wait()
        yield "producer", "send 'late'", "nothing: it is on its way"
        yield "producer", "abort_transaction", producer.abort_transaction
        log.write_due_markers("id")
        yield "coordinator", "describe", log.describe("id").state
        trial.start = log.high_watermark("output", 0)
        proxy.release()
        trial.hangs = log.high_watermark("output", 0) > trial.start
        yield "broker", "gets 'late'", "appended" if trial.hangs else "refused"
        yield "somebody else", "send 'other'", lambda: log.append("output", 0, ["other"])
        yield "reader", "read_committed", str(trial.values("output"))
        producer.close()


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
        log.topic(topic, partition)
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


def restarted_window(how: Literal["killed", "in good order"] = "killed", kafka: Kafka | None = None) -> Trial:
    """Send five numbered batches, restart the broker, and send each again: a snapshot holds the last one alone.

    The result has what each of the five hears that is sent again, `before` the restart and `after` it, oldest first.
    It takes 4 s. Raises `BadInput` for another `how`.
    """
    one_of("how", how, HOWS)
    trial = Trial(kafka).run(_restart, how)
    heard = tuple(step.hears for step in trial.steps)
    trial.before, trial.after = heard[1 : FIVE + 1], heard[FIVE + 2 :]
    known = trial.before.count(DUPLICATE), trial.after.count(DUPLICATE)
    trial.sentence = (
        f"The broker knew {known[0]} of the producer's batches, and knows {known[1]} after it was {HOWS[how]}."
    )
    return trial


def _restart(trial: Trial, how: str) -> Iterator[Act]:
    trial.log.create_topic("t")
    producer = trial.log.new_producer_id()

    def send(number: int) -> str:
        try:
            receipt = trial.log.append("t", 0, [number], "all", producer, 0, number)
        except LogError as why:
            return type(why).__name__
        return DUPLICATE if receipt.duplicate else ACCEPTED

    def again() -> Iterator[Act]:  # neither a duplicate nor a refusal changes what the broker knows
        for number in range(FIVE):
            yield "producer", f"send batch {number} again", send(number)

    yield "producer", "send batches 0 to 4", lambda: [send(number) for number in range(FIVE)]
    yield from again()
    if how == "killed":
        trial.kafka.kill()
        trial.kafka.start()
    else:
        trial.kafka.restart()
    trial.log.hang_up()
    yield "broker", how, "started again"
    yield from again()
