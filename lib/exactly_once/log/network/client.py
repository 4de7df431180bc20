"""A producer of a log whose brokers are processes: it sends one record after another, and looks for leaders."""

import time
from typing import Any, NamedTuple

from ..broker.topics import Topic
from ..client.requests import batch_of
from ..storage.records import NOBODY, PLAIN, Batch, Pair
from .connections import arrived, connect, told

BACKOFF_SECONDS = 0.01  # Kafka's retry.backoff.ms is 100
ACKNOWLEDGED, UNANSWERED, REFUSED, SENT, GIVEN_UP = "acknowledged", "no answer", "refused", "sent", "given up"


class Answer(NamedTuple):
    """The result of one attempt to send record `number`, at `seconds` by `time.monotonic`.

    `what` is "acknowledged", with the `offset` and leader `epoch` told and whether it was a `duplicate`; "no answer"
    when the connection broke; "refused" by a broker, whose reason `says`; "sent", with acks=0; "given up" when the
    time was over.
    """

    seconds: float
    number: int
    what: str
    broker: int | None = None
    offset: int | None = None
    epoch: int | None = None
    duplicate: bool = False
    says: str = ""


class NetworkProducer:
    """Sends records 1, 2, 3, … to the leader, each as a batch of its own, and the next when that is through.

    `producer`, if given, is a producer id: it numbers the batches (KIP-98). A record that was not acknowledged is
    sent again for up to `delivery_seconds`; with acks=0 it counts as through when the connection took it.
    """

    def __init__(
        self,
        topic: Topic,
        controller: int,
        secret: str,
        acks: int | str,
        producer: int | None = None,
        delivery_seconds: float = 10.0,
        pace: float = 0.0,
    ) -> None:
        self.topic, self.acks, self.producer = topic, acks, producer
        self.delivery_seconds, self.pace = delivery_seconds, pace
        self._secret = secret.encode()
        self.controller = connect(controller, self._secret)
        self._leader: Any = None
        self._broker: int | None = None
        self.answers = []

    def send_all(self, records: int) -> list[Answer]:
        """Send records 1 to `records`. Returns the `Answer`s."""
        for number in range(1, records + 1):
            self._send(number)
            told(self.controller, "progress", number)
            if self.pace:
                time.sleep(self.pace)
        if self.acks == 0 and self._leader is not None and told(self._leader, "settle"):
            self._leader.poll(self.delivery_seconds)  # what is under way arrives before the connection is closed
        return self.answers

    def _send(self, number: int) -> None:
        whom = (NOBODY,) * 3 if self.producer is None else (self.producer, 0, number - 1)
        pair = Pair(f"order-{number}", number)
        draft = batch_of(self.topic, [pair], PLAIN, whom, int(time.time() * 1000))
        deadline = time.monotonic() + self.delivery_seconds
        while not self._attempt(number, draft, deadline):
            if time.monotonic() > deadline:
                self._note(number, GIVEN_UP)
                return
            time.sleep(BACKOFF_SECONDS)

    def _attempt(self, number: int, draft: Batch, deadline: float) -> bool:
        """Send a batch once; tell whether the producer is through with it."""
        if not self._connected() or not told(self._leader, "append", draft, self.acks):
            self._forget()  # it never left this process, so nothing was done
            return False
        if self.acks == 0:
            self._note(number, SENT)
            return True
        answer = arrived(self._leader) if self._leader.poll(max(0, deadline - time.monotonic())) else None
        if answer is None:
            self._note(number, UNANSWERED)
            self._forget()
            return False
        if answer[0] == "refused":
            self._note(number, REFUSED, says=f"{answer[1]}: {answer[2]}")
            self._forget()
            return False
        _, offset, duplicate, epoch = answer
        self._note(number, ACKNOWLEDGED, offset=offset, epoch=epoch, duplicate=duplicate)
        return True

    def _connected(self) -> bool:
        """Connect to the leader if there is no connection; tell whether there is one now."""
        if self._leader is not None and self._leader.poll(0):
            self._forget()  # nothing is due from it, so this is the end of the connection
        if self._leader is None:
            try:
                self.controller.send(("who_leads",))
                self._broker, _, port = self.controller.recv()
                self._leader = connect(port, self._secret) if port is not None else None
            except OSError:
                self._leader = None
        return self._leader is not None

    def _forget(self) -> None:
        if self._leader is not None:
            self._leader.close()
        self._leader = None

    def _note(self, number: int, what: str, **more: Any) -> None:
        self.answers.append(Answer(time.monotonic(), number, what, self._broker, **more))

    def close(self) -> None:
        """Close the connections."""
        self._forget()
        self.controller.close()
