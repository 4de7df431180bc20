"""A hanging transaction, brought about: a record that arrives after its transaction was aborted, and nobody ends.

It takes a producer of the first version of transactions, and leaders that do not ask the coordinator, as before 3.6
(KIP-890, Motivation). An operator finds and ends it (KIP-664, since 3.0).
"""

from dataclasses import dataclass

from ....servers.kafka.broker import Kafka
from ...reading import ISOLATIONS
from ..clients import TransactionalProducer
from ..log import KafkaLog, packed
from .diagnosis import TOOL
from .proxy import PRODUCE, Proxy
from .steps import SOONER, Steps, Trial, insisted, own_names

ANSWER_MS = 2_000  # that the producer waits for an answer to the record that is held


@dataclass(frozen=True, repr=False)
class HangingTransaction(Trial):
    """A partition `topic`-0 of `kafka` with a transaction that hangs from offset `start` on, if it `hangs`.

    `state` is what the coordinator says of the producer's transactional id.
    """

    kafka: Kafka
    topic: str
    start: int
    state: str
    hangs: bool

    @property
    def sentence(self) -> str:
        """What came of it."""
        if not self.hangs:
            return "The leader asked the coordinator, and refused the late record: nothing hangs."
        return f"The coordinator says {self.state}, and the last stable offset of {self.topic}-0 stays {self.start}."

    def offsets(self) -> dict[str, object]:
        """Return the two offsets that matter, and what readers of both levels see."""
        with KafkaLog(self.kafka.where) as log:
            place = self.topic, 0
            seen: dict[str, object] = {
                level: [one.value for one in log.fetch(*place, 0, isolation=level)] for level in ISOLATIONS
            }
            return {
                "last stable offset": log.last_stable(*place), "high watermark": log.high_watermark(*place), **seen
            }  # fmt: skip

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
    kafka, names, steps = kafka or Kafka.shared(settings=SOONER), own_names(), Steps()
    topic = f"{names}output"
    with KafkaLog(kafka.where) as log, Proxy(kafka.where) as proxy:
        log.create_topic(topic)
        producer = TransactionalProducer(proxy.where, f"{names}id", message_timeout_ms=ANSWER_MS)
        insisted(producer.init_transactions)
        producer.begin_transaction()
        steps.ask("producer", "send 'in time'", lambda: producer.send(f"{topic}-0", ["in time"]))
        held = proxy.hold(PRODUCE)
        key, value, headers = packed("late")
        producer.sender.produce(topic, value, key, partition=0, headers=headers)
        proxy.wait()
        steps.note("producer", "send 'late'", "nothing: it is on its way")
        steps.ask("producer", "abort_transaction", producer.abort_transaction)
        log.write_due_markers(f"{names}id")
        steps.note("coordinator", "describe", log.transactions.describe(f"{names}id").state)
        start = log.high_watermark(topic, 0)
        held.set()
        proxy.passed.wait()
        hangs = log.high_watermark(topic, 0) > start
        steps.note("broker", "gets 'late'", "appended" if hangs else "refused")
        steps.ask("somebody else", "send 'other'", lambda: log.append(topic, 0, ["other"]))
        steps.note(
            "reader", "read_committed", [one.value for one in log.fetch(topic, 0, 0, isolation="read_committed")]
        )
        state = log.transactions.describe(f"{names}id").state
        producer.close()
    return HangingTransaction(tuple(steps), kafka, topic, start, state, hangs)
