"""Two trials of transactions and numbers: a transaction that hangs, and a restarted broker.

Sources: KIP-890, Motivation, and KIP-664 for what hangs.
"""

from typing import Literal

from ....errors import one_of
from ....log.errors import LogError
from ....log.kafka.log import packed
from ....log.reading import ISOLATIONS
from ....servers.kafka.broker import Kafka
from .diagnosis import TOOL
from .proxy import PRODUCE, Proxy
from .trial import ACCEPTED, SOONER, Trial

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
    with HangingTransaction(kafka, settings=SOONER) as trial, Proxy(trial.kafka.where) as proxy:
        log, topic = trial.log, f"{trial.names}output"
        log.create_topic("output")
        producer = trial.producer(proxy.where, message_timeout_ms=ANSWER_MS)
        trial.ask("producer", "send 'in time'", lambda: producer.send(f"{topic}-0", ["in time"]))
        held = proxy.hold(PRODUCE)
        key, value, headers = packed("late")
        producer.sender.produce(topic, value, key, partition=0, headers=headers)
        proxy.wait()
        trial.note("producer", "send 'late'", "nothing: it is on its way")
        trial.ask("producer", "abort_transaction", producer.abort_transaction)
        log.write_due_markers("id")
        state = log.describe("id").state
        trial.note("coordinator", "describe", state)
        start = log.high_watermark("output", 0)
        held.set()
        proxy.passed.wait()
        hangs = log.high_watermark("output", 0) > start
        trial.note("broker", "gets 'late'", "appended" if hangs else "refused")
        trial.ask("somebody else", "send 'other'", lambda: log.append("output", 0, ["other"]))
        trial.note("reader", "read_committed", trial.values("output"))
        producer.close()
    trial.topic, trial.start, trial.hangs = topic, start, hangs
    trial.sentence = "The leader asked the coordinator, and refused the late record: nothing hangs."
    if hangs:
        trial.sentence = f"The coordinator says {state}, and the last stable offset of {topic}-0 stays {start}."
    return trial


def restarted_window(how: Literal["killed", "in good order"] = "killed", kafka: Kafka | None = None) -> Trial:
    """Send five numbered batches, restart the broker, and send each again: a snapshot holds the last one alone.

    The result has what each of the five hears that is sent again, `before` the restart and `after` it, oldest first.
    It takes 4 s. Raises `BadInput` for another `how`.
    """
    one_of("how", how, HOWS)
    with Trial(kafka) as trial:
        trial.log.create_topic("t")
        producer = trial.log.new_producer_id()
        for number in range(FIVE):
            trial.log.append("t", 0, [number], "all", producer, 0, number)
        trial.note("producer", "send batches 0 to 4")
        trial.before = _again(trial, producer)
        if how == "killed":
            trial.kafka.kill()
            trial.kafka.start()
        else:
            trial.kafka.restart()
        trial.note("broker", how, "started again")
        trial.log.hang_up()
        trial.after = _again(trial, producer)
    known = trial.before.count(DUPLICATE), trial.after.count(DUPLICATE)
    trial.sentence = (
        f"The broker knew {known[0]} of the producer's batches, and knows {known[1]} after it was {HOWS[how]}."
    )
    return trial


def _again(trial: Trial, producer: int) -> tuple[str, ...]:
    """Send each of the batches again: neither a duplicate nor a refusal changes what the broker knows."""
    heard = []
    for number in range(FIVE):
        try:
            receipt = trial.log.append("t", 0, [number], "all", producer, 0, number)
            heard.append(DUPLICATE if receipt.duplicate else ACCEPTED)
        except LogError as why:
            heard.append(type(why).__name__)
        trial.note("producer", f"send batch {number} again", heard[-1])
    return tuple(heard)
