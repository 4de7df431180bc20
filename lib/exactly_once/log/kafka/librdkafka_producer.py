"""A producer of transactions over confluent-kafka, the client that programs use at work (librdkafka).

It has the calls of `log.transactions.producer`, and raises the log's errors. The rest is librdkafka's: numbers,
batches, retries, and where the leaders are. A request without an answer in time raises `OutcomeUnknown`; `TimedOut`
where the same call is to be made again. Source: librdkafka's INTRODUCTION.md and CONFIGURATION.md, 2.15.0.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import confluent_kafka
from confluent_kafka import KafkaError, KafkaException, TopicPartition

from ...errors import CourseError, OutcomeUnknown
from ...servers.where import Where
from ...stores.codec import Value
from ..log_errors import IllegalState, TimedOut
from ..transactions.log_requests import place_of
from ..transactions.producer import MAX_BLOCK_MS
from .connection import packed
from .kafka_log import refusal

UNANSWERED = (
    "_TIMED_OUT _MSG_TIMED_OUT _TIMED_OUT_QUEUE _TRANSPORT _ALL_BROKERS_DOWN REQUEST_TIMED_OUT NETWORK_EXCEPTION"
).split()
STATES = ("_STATE", "_CONFLICT")  # a call that does not fit the state of the producer
POLL_SECONDS = 0.1
TIMEOUT_MS = 30_000


def error_of(why: KafkaError, call: str | None = None) -> CourseError:
    """Return the course's error for one of librdkafka's. `call` is the method to call again when the time is over."""
    name, said = why.name(), f"{why.str()} ({why.name()})"
    if name in UNANSWERED and call is None:
        return OutcomeUnknown(f"No answer: it was done or it was not. {said}")
    if name in UNANSWERED:
        return TimedOut(f"No answer, and it may have arrived: call {call}() again, or make a new producer. {said}")
    if name in STATES:
        return IllegalState(said)
    error = refusal("PRODUCER_FENCED" if name == "_FENCED" else name, said)
    error.fatal = error.fatal or why.fatal()
    return error


@contextlib.contextmanager
def _translated(call: str | None = None) -> Iterator[None]:
    try:
        yield
    except KafkaException as why:
        raise error_of(why.args[0], call) from None


class TransactionalProducer:
    """librdkafka's producer, as `sender`, with the calls of `log.transactions.producer.TransactionalProducer`.

    A call that raises `TimedOut` is made again: librdkafka refuses every other one. After another error that is not
    fatal `abort_transaction` is called; after a fatal one, such as `ProducerFenced`, a new producer is made. Further
    `settings` are librdkafka's, written with _ for a dot.
    """

    def __init__(
        self, where: Where, transactional_id: str, timeout_ms: int = 60_000, max_block_ms: int = MAX_BLOCK_MS,
        **settings: Any,
    ) -> None:  # fmt: skip
        self.seconds = max_block_ms / 1000
        own = {"transactional_id": transactional_id, "transaction_timeout_ms": timeout_ms, "linger_ms": 0}
        own["message_timeout_ms"] = min(timeout_ms, TIMEOUT_MS)
        with _translated():
            self.sender: Any = confluent_kafka.Producer(where.settings(**(own | settings)))

    def init_transactions(self) -> None:
        """Get an epoch that fences all earlier incarnations, and end their open transactions."""
        self._asked("init_transactions")

    def begin_transaction(self) -> None:
        """Begin a transaction. No request."""
        with _translated():
            self.sender.begin_transaction()

    def send(self, partition: str, records: Iterable[Value]) -> int:
        """Append records to a partition such as "output-0", and wait; return the offset of the first.

        Raises the broker's refusal, and `OutcomeUnknown` when no answer comes in time.
        """
        topic, number = place_of(partition)
        heard: list[Any] = []
        rows = [packed(one) for one in records]
        with _translated():
            for key, value, headers in rows:
                self.sender.produce(topic, value, key, number, lambda *answer: heard.append(answer), headers=headers)
        while len(heard) < len(rows):
            with _translated():
                self.sender.poll(POLL_SECONDS)
        for why, _ in heard:
            if why is not None:
                raise error_of(why)
        return heard[0][1].offset()

    def send_offsets_to_transaction(self, offsets: Mapping[str, int], metadata: object) -> None:
        """Commit {partition: offset of the next record} of a group with the transaction.

        `metadata` are those of the group's consumer (`consumer_group_metadata()`): the group refuses a member that
        was replaced (KIP-447).
        """
        places = [TopicPartition(*place_of(partition), offset) for partition, offset in offsets.items()]
        with _translated("send_offsets_to_transaction"):
            self.sender.send_offsets_to_transaction(places, metadata, self.seconds)

    def commit_transaction(self) -> None:
        """Commit: when this returns the coordinator has decided, for good. The markers may still be on their way."""
        self._asked("commit_transaction")

    def abort_transaction(self) -> None:
        """Abort: nothing of the transaction will ever be seen by a read_committed reader."""
        self._asked("abort_transaction")

    def _asked(self, call: str) -> None:
        with _translated(call):
            getattr(self.sender, call)(self.seconds)

    def close(self) -> None:
        """Forget what was not sent."""
        self.sender.purge()
        with contextlib.suppress(KafkaException):  # one that was fenced says so again
            self.sender.flush(0)
