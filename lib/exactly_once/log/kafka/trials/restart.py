"""What a real broker knows of a producer after a restart."""

from dataclasses import dataclass
from typing import Literal

from ....errors import one_of
from ....servers.kafka.broker import Kafka
from ...errors import LogError
from ..log import KafkaLog
from .steps import ACCEPTED, Steps, Trial, own_names

FIVE = 5  # batches of a producer that a leader remembers
HOWS = ("killed", "in good order")
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
