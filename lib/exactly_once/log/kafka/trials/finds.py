"""What the explorer found in the model of the idempotent producer, performed on a real broker.

A late marker that ends the next transaction (leaders of 4.0 and 4.1, KAFKA-19446) is not performed: the course's
broker is 4.3.1, and a broker of 4.1 would be some 35 more libraries of its own, with a lock of their own.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ....errors import CourseError, one_of
from ....servers.kafka.broker import Kafka
from ...errors import LogError
from .. import wire
from ..java_producer import JavaProducer
from ..log import KafkaLog
from .proxy import PRODUCE, Proxy
from .steps import ACCEPTED, Steps, Trial, own_names

FIVE = 5  # batches of a producer that a leader remembers, and requests that a client has in flight
HOWS = ("killed", "in good order")
WAIT_SECONDS = 60.0
DUPLICATE = "accepted as a duplicate"


@dataclass(frozen=True, repr=False)
class RestartedWindow(Trial):
    """What each of five batches hears that is sent again, `before` the restart and `after` it, oldest first."""

    how: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """What came of it."""
        known = [window.count(DUPLICATE) for window in (self.before, self.after)]
        return (
            f"The broker knew {known[0]} of the producer's batches, and knows {known[1]} after it was {self._was()}."
        )

    def _was(self) -> str:
        return "killed" if self.how == "killed" else "restarted in good order"


def restarted_window(
    how: Literal["killed", "in good order"] = "killed", kafka: Kafka | None = None
) -> RestartedWindow:
    """Send five numbered batches, restart the broker, and send each again: a snapshot holds the last one alone.

    It takes 4 s. Raises `BadInput` for another `how`.
    """
    one_of("how", how, HOWS)
    kafka, steps = kafka or Kafka.shared(), Steps()
    with KafkaLog(kafka.where, prefix=own_names()) as log:
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
    return RestartedWindow(tuple(steps), how, before, after)


def _again(log: KafkaLog, steps: Steps, producer: int) -> tuple[str, ...]:
    """Send each of the batches again: neither a duplicate nor a refusal changes what the broker knows."""
    heard = []
    for number in range(FIVE):
        try:
            receipt = log.append("t", 0, [number], "all", producer, 0, number)
            heard.append(DUPLICATE if receipt.duplicate else ACCEPTED)
        except LogError as why:
            heard.append(type(why).__name__)
        steps.note("producer", f"send batch {number} again", heard[-1])
    return tuple(heard)


@dataclass(frozen=True, repr=False)
class FirstRecordLost(Trial):
    """The broker's answer to a producer's first batch (`heard`), and the records that are `readable` in the end."""

    heard: str
    readable: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """What came of it."""
        return f"Batch A is refused for good ({self.heard}); a reader sees {', '.join(self.readable)}."


def first_record_lost(kafka: Kafka | None = None) -> FirstRecordLost:
    """Have a producer's second batch come first to a new partition: its first one is never taken (KAFKA-15591).

    Idempotence is on, and two batches are in flight; the first has to be sent again, as after a change of the leader.
    """
    kafka, steps = kafka or Kafka.shared(), Steps()
    with KafkaLog(kafka.where, prefix=own_names()) as log:
        log.create_topic("t")
        producer = log.new_producer_id()
        steps.note("network", "delay batch A: numbers 0 to 16", "it is to be sent again")
        steps.ask("producer", "send batch B: number 17", lambda: log.append("t", 0, ["B"], "all", producer, 0, 17))
        heard = steps.ask(
            "producer", "send batch A again", lambda: log.append("t", 0, ["A"] * 17, "all", producer, 0, 0)
        )
        readable = tuple(record.value for record in log.fetch("t", 0, 0))
        steps.note("reader", "reads", list(readable))
    return FirstRecordLost(tuple(steps), heard, readable)


@dataclass(frozen=True, repr=False)
class FiveDoubled(Trial):
    """The records that Java's client had acknowledged, those that are `readable`, and the epochs of their batches."""

    acknowledged: int
    readable: tuple[str, ...]
    epochs: tuple[int, ...]

    @property
    def doubled(self) -> int:
        """How many records are there twice."""
        return len(self.readable) - len(set(self.readable))

    @property
    def sentence(self) -> str:
        """What came of it."""
        return (
            f"{self.acknowledged} records were sent and acknowledged once, and {self.doubled} are there twice, "
            f"by batches of the epochs {', '.join(map(str, sorted(set(self.epochs))))}. No error was raised."
        )


def bump_doubles(kafka: Kafka | None = None) -> FiveDoubled:
    """Lose the answers to five batches of Java's idempotent producer, and restart the broker in good order.

    The broker knows the last batch alone then, and refuses the first, which comes again; Java's client takes a new
    epoch, and sends all five in it. It takes 6 s.
    """
    kafka, names, steps = kafka or Kafka.shared(), own_names(), Steps()
    with KafkaLog(kafka.where, prefix=names) as log, Proxy(kafka.where) as proxy:
        log.create_topic("t")
        producer = JavaProducer(proxy.where, linger_ms=0, batch_size=0)
        producer.send(f"{names}t-0", ["0"])
        steps.note("producer", "send record 0")
        proxy.lose(PRODUCE, "answer, in silence")
        futures = [producer.start(f"{names}t-0", str(number)) for number in range(1, FIVE + 1)]
        _wait(lambda: log.high_watermark("t", 0) == FIVE + 1)
        steps.note("producer", "send records 1 to 5, a batch each", "nothing: the answers are lost")
        kafka.restart()
        steps.note("broker", "restarts in good order", "")
        log.hang_up()
        proxy.mend()
        _wait(lambda: all(future.isDone() for future in futures))
        acknowledged = 1 + len([future.get() for future in futures])
        steps.note("producer", "sends them again by itself", ACCEPTED)
        batches = wire.batches(log.fetched("t", 0, 0)["records"])
        readable = tuple(record.value for record in log.fetch("t", 0, 0))
        steps.note("reader", "reads", " ".join(readable))
        producer.close()
    return FiveDoubled(tuple(steps), acknowledged, readable, tuple(one.epoch for one in batches))


def _wait(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not done():
        if time.monotonic() > deadline:
            raise CourseError(f"The broker or Java's client was not through within {WAIT_SECONDS:g} s. Run it again.")
        time.sleep(0.02)
