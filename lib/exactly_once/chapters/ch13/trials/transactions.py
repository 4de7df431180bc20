"""Three trials of transactions and numbers: a commit without an answer, one that hangs, and a restarted broker.

Sources: KafkaProducer's Javadoc on commitTransaction (time limit since 2.3.0, the guard since 3.2.0, KAFKA-13412);
KIP-890, Motivation, and KIP-664 for what hangs.
"""

from typing import Any, Literal

from ....errors import one_of
from ....log.errors import LogError
from ....log.kafka.clients import TransactionalProducer
from ....log.kafka.log import KafkaLog, packed
from ....log.reading import ISOLATIONS
from ....servers.kafka.broker import Kafka
from .diagnosis import TOOL
from .proxy import END_TXN, PRODUCE, Proxy
from .trial import ACCEPTED, SOONER, Steps, Trial, insisted, often

MAX_BLOCK_MS = 2_000
ANSWER_MS = 2_000  # that a producer waits for an answer to the record that is held
CLIENT = "librdkafka"
FIVE = 5  # batches of a producer that a leader remembers
HOWS = {"killed": "killed", "in good order": "restarted in good order"}
DUPLICATE = "accepted as a duplicate"


def commit_times_out(kafka: Kafka | None = None) -> Trial:
    """Lose each answer to a request to end a transaction, until `commit_transaction` times out after 2 s.

    Then the wire is whole again: the producer calls `abort_transaction`, and `commit_transaction` again. The result
    has what the calls heard: the `first` commit, the `abort` after it, and the commit `again`; `decided` is the
    coordinator's state between the first two, and `copies` how many copies of the record a read_committed reader
    sees in the end.
    """
    kafka, steps = kafka or Kafka.shared(), Steps()
    with KafkaLog(kafka.where, prefix=steps.names) as log, Proxy(kafka.where) as proxy:
        log.create_topic("output")
        producer = TransactionalProducer(proxy.where, f"{steps.names}id", max_block_ms=MAX_BLOCK_MS)
        insisted(producer.init_transactions)
        producer.begin_transaction()
        steps.ask(CLIENT, "send", lambda: producer.send(f"{steps.names}output-0", ["record"]))
        proxy.lose(END_TXN)
        first = steps.ask(CLIENT, "commit_transaction", producer.commit_transaction)
        decided = log.transactions.describe("id").state
        steps.note("coordinator", "describe", decided)
        proxy.mend()
        abort = steps.ask(CLIENT, "abort_transaction", producer.abort_transaction)
        again = steps.ask(CLIENT, "commit_transaction", lambda: insisted(producer.commit_transaction))
        log.write_due_markers("id")
        seen = log.fetch("output", 0, 0, isolation="read_committed")
        steps.note("reader", "read_committed", [record.value for record in seen])
        producer.close()
    sentence = f"The client is {CLIENT}; lost was the answer. A reader sees the record {often(len(seen))}."
    heard = {"first": first, "decided": decided, "abort": abort, "again": again}
    return Trial(steps=steps, sentence=sentence, copies=len(seen), **heard)


class HangingTransaction(Trial):
    """A partition `topic`-0 of `kafka` with a transaction that hangs from offset `start` on, if it `hangs`."""

    def offsets(self) -> dict[str, object]:
        """Return the two offsets that matter, and what readers of both levels see."""
        with KafkaLog(self.kafka.where) as log:
            place = self.topic, 0
            seen: dict[str, object] = {
                level: [one.value for one in log.fetch(*place, 0, isolation=level)] for level in ISOLATIONS
            }
            stable = {"last stable offset": log.last_stable(*place), "high watermark": log.high_watermark(*place)}
            return stable | seen

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
    kafka, steps = kafka or Kafka.shared(settings=SOONER), Steps()
    topic, name = f"{steps.names}output", f"{steps.names}id"
    with KafkaLog(kafka.where) as log, Proxy(kafka.where) as proxy:
        log.create_topic(topic)
        producer = TransactionalProducer(proxy.where, name, message_timeout_ms=ANSWER_MS)
        insisted(producer.init_transactions)
        producer.begin_transaction()
        steps.ask("producer", "send 'in time'", lambda: producer.send(f"{topic}-0", ["in time"]))
        held = proxy.hold(PRODUCE)
        key, value, headers = packed("late")
        producer.sender.produce(topic, value, key, partition=0, headers=headers)
        proxy.wait()
        steps.note("producer", "send 'late'", "nothing: it is on its way")
        steps.ask("producer", "abort_transaction", producer.abort_transaction)
        log.write_due_markers(name)
        state = log.transactions.describe(name).state
        steps.note("coordinator", "describe", state)
        start = log.high_watermark(topic, 0)
        held.set()
        proxy.passed.wait()
        hangs = log.high_watermark(topic, 0) > start
        steps.note("broker", "gets 'late'", "appended" if hangs else "refused")
        steps.ask("somebody else", "send 'other'", lambda: log.append(topic, 0, ["other"]))
        seen = log.fetch(topic, 0, 0, isolation="read_committed")
        steps.note("reader", "read_committed", [one.value for one in seen])
        producer.close()
    sentence = f"The coordinator says {state}, and the last stable offset of {topic}-0 stays {start}."
    if not hangs:
        sentence = "The leader asked the coordinator, and refused the late record: nothing hangs."
    return HangingTransaction(steps=steps, sentence=sentence, kafka=kafka, topic=topic, start=start, hangs=hangs)


def restarted_window(how: Literal["killed", "in good order"] = "killed", kafka: Kafka | None = None) -> Trial:
    """Send five numbered batches, restart the broker, and send each again: a snapshot holds the last one alone.

    The result has what each of the five hears that is sent again, `before` the restart and `after` it, oldest first.
    It takes 4 s. Raises `BadInput` for another `how`.
    """
    one_of("how", how, HOWS)
    kafka, steps = kafka or Kafka.shared(), Steps()
    with KafkaLog(kafka.where, prefix=steps.names) as log:
        log.create_topic("t")
        producer = log.new_producer_id()
        for number in range(FIVE):
            log.append("t", 0, [number], "all", producer, 0, number)
        steps.note("producer", "send batches 0 to 4")
        before = _again(log, steps, producer)
        if how == "killed":
            kafka.kill()
            kafka.start()
        else:
            kafka.restart()
        steps.note("broker", how, "started again")
        log.hang_up()
        after = _again(log, steps, producer)
    known = before.count(DUPLICATE), after.count(DUPLICATE)
    sentence = f"The broker knew {known[0]} of the producer's batches, and knows {known[1]} after it was {HOWS[how]}."
    return Trial(steps=steps, sentence=sentence, how=how, before=before, after=after)


def _again(log: KafkaLog, steps: Steps, producer: int) -> tuple[str, ...]:
    """Send each of the batches again: neither a duplicate nor a refusal changes what the broker knows."""
    heard: list[Any] = []
    for number in range(FIVE):
        try:
            receipt = log.append("t", 0, [number], "all", producer, 0, number)
            heard.append(DUPLICATE if receipt.duplicate else ACCEPTED)
        except LogError as why:
            heard.append(type(why).__name__)
        steps.note("producer", f"send batch {number} again", heard[-1])
    return tuple(heard)
