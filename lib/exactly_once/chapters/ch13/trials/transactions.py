"""A transaction that hangs, and what a restarted broker knows of a producer.

Source: KIP-890, Motivation, for what hangs.
"""

from collections.abc import Iterator
from functools import partial
from typing import Literal

from ....errors import one_of
from ....log.kafka.connection import packed
from ....log.reading import ISOLATIONS
from ....servers.kafka import Kafka
from ..diagnosis import TOOL
from .proxy import HELD, PRODUCE, Proxy
from .trial import ACCEPTED, SOONER, Act, Trial

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
        receipt = trial.log.append("t", 0, [number], "all", producer, 0, number)
        return DUPLICATE if receipt.duplicate else ACCEPTED

    # neither a duplicate nor a refusal changes what the broker knows
    again = [("producer", f"send batch {number} again", partial(send, number)) for number in range(FIVE)]
    yield "producer", "send batches 0 to 4", lambda: [send(number) for number in range(FIVE)]
    yield from again
    if how == "killed":
        trial.kafka.kill()
        trial.kafka.start()
    else:
        trial.kafka.restart()
    trial.log.hang_up()
    yield "broker", how, "started again"
    yield from again
