"""A burst of Kafka's producer to the course's own log, with one message lost, request by request (for 05c)."""

from collections import deque
from types import SimpleNamespace
from typing import NamedTuple

from ....errors import OutcomeUnknown
from ....handlers.logs.idempotent import READINGS, numbered_burst
from ....log import open_log
from ....log.broker.producer_state import WINDOW
from ....log.errors import OutOfOrderSequence


class Request(NamedTuple):
    """One request: its batch's number and epoch, which time it is sent, what the broker did, what came back, and the
    numbers of the batches in the broker's window behind it.
    """

    number: int
    epoch: int
    time: int
    done: str
    came_back: str
    window: tuple


class Wire:
    """A producer's connection to a log in memory, which loses one message: ("request" or "reply", its number)."""

    def __init__(self, lost=None):
        self.broker, self.lost = open_log(), lost
        self.broker.create_topic(READINGS)
        self.requests, self._answers, self._window, self._epoch = [], deque(), deque(maxlen=WINDOW), 0

    def producer_id(self, topic):
        """Return the producer's id."""
        return 0

    def send(self, topic, records, acks, producer, epoch, sequence, in_flight):
        """Send a batch, which arrives at once, unless it is the one that is lost."""
        time = 1 + sum(one.number == sequence and one.epoch == epoch for one in self.requests)
        lost = self.lost[0] if self.lost and time == 1 and epoch == 0 and self.lost[1] == sequence else None
        done, answer = "never arrived", OutcomeUnknown("No answer came.")
        if lost != "request":
            done, answer = self._arrived(records, acks, producer, epoch, sequence)
        came_back = f"✗ {lost} lost" if lost else "✗ refused" if answer else "✓ acknowledged"
        self._answers.append(OutcomeUnknown("No answer came.") if lost else answer)
        self.requests.append(Request(sequence, epoch, time, done, came_back, tuple(self._window)))

    def _arrived(self, records, acks, producer, epoch, sequence):
        try:
            receipt = self.broker.append(READINGS, 0, records, acks, producer, epoch, sequence)
        except OutOfOrderSequence as why:
            return "out of order", why
        if receipt.duplicate:
            return f"recognised, at offset {receipt.offset}", None
        if epoch != self._epoch:
            self._window.clear()
            self._epoch = epoch
        self._window.append(sequence)
        return f"written at offset {receipt.offset}", None

    def acknowledgement(self):
        """Return when the oldest answer is a success. Raises what it is otherwise."""
        if (answer := self._answers.popleft()) is not None:
            raise answer

    def values(self):
        """Return what is in the log."""
        return [record.value for record in self.broker.fetch(READINGS, 0, 0, 1_000)]


class Played(NamedTuple):
    """A burst that was played: its `requests`, the `log` in the end, and whether the producer gave up."""

    requests: list
    log: list
    gave_up: bool

    @property
    def refused(self):
        """The first request that was refused although its batch was in the log, or None."""
        written = set()
        for one in self.requests:
            if one.done.startswith("written"):
                written.add((one.number, one.epoch))
            elif one.done == "out of order" and (one.number, one.epoch) in written:
                return one
        return None


def played(records, in_flight, lost=None, client="java"):
    """Return the burst of a producer, with Java's client, which begins a new epoch when it is refused for good, or
    with librdkafka, which gives up.
    """
    wire, gave_up = Wire(lost), False
    try:
        numbered_burst(records, in_flight, bump=client == "java")(SimpleNamespace(log=wire))
    except OutOfOrderSequence:
        gave_up = True
    return Played(wire.requests, wire.values(), gave_up)
