"""Java's producer of transactions, with the calls and the errors of the course's producers.

It is kafka-clients 4.3.1 in a Java process of its own, and speaks the second version of transactions (KIP-890). Its
defaults are Java's: idempotent, five requests in flight.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...clocks import LamportClock
from ...errors import CourseError, OutcomeUnknown
from ...servers.kafka.java import JavaClients
from ...servers.kafka.where import Where
from ...stores.codec import Value
from ..errors import IllegalState, TimedOut
from ..transactions.producer import MAX_BLOCK_MS
from ..transactions.requests import place_of
from .log import packed, refusal

BYTES = "org.apache.kafka.common.serialization.ByteArraySerializer"
TIME_OUT, ILLEGAL, WRAPPED = "TimeoutException", "IllegalStateException", "ExecutionException"


class JavaProducer:
    """A producer of Java's client, as `clients.TransactionalProducer`; idempotent alone without a `transactional_id`.

    Further `settings` are Java's, written with _ for a dot. Raises `CourseError` where there is no Java, no py4j, or
    no `make servers`.
    """

    def __init__(
        self, where: Where, transactional_id: str | None = None, timeout_ms: int = 60_000,
        max_block_ms: int = MAX_BLOCK_MS, clock: LamportClock | None = None, **settings: Any,
    ) -> None:  # fmt: skip
        self.clock = clock
        self._common = JavaClients.shared().jvm.org.apache.kafka
        own: dict[str, Any] = {"key_serializer": BYTES, "value_serializer": BYTES, "max_block_ms": max_block_ms}
        if transactional_id is not None:
            own |= {"transactional_id": transactional_id, "transaction_timeout_ms": timeout_ms}
        given = {name.replace("_", "."): str(value) for name, value in (own | settings).items()}
        with self._translated("KafkaProducer"):
            self.sender: Any = self._common.clients.producer.KafkaProducer(where.javas | given)

    def init_transactions(self) -> None:
        """Get an epoch that fences all earlier incarnations, and end their open transactions."""
        self._asked("init_transactions", "initTransactions")

    def begin_transaction(self) -> None:
        """Begin a transaction. No request."""
        self._asked("begin_transaction", "beginTransaction")

    def send(self, partition: str, records: Iterable[Value]) -> int:
        """Append records to a partition such as "output-0"; return the offset of the first."""
        futures = [self.start(partition, record) for record in records]
        with self._translated("send"):
            return next(iter([future.get().offset() for future in futures]))

    def start(self, partition: str, record: Value) -> Any:
        """Begin to send a record, and return Java's future of its answer: `isDone()` tells whether it has come."""
        topic, number = place_of(partition)
        key, value, headers = packed(record, self.clock)
        one = self._common.clients.producer.ProducerRecord(topic, number, key, value)
        for name, content in headers.items():
            one.headers().add(name, content)
        with self._translated("send"):
            return self.sender.send(one)

    def send_offsets_to_transaction(self, offsets: Mapping[str, int], group: str) -> None:
        """Commit {partition: offset of the next record} of a group with the transaction."""
        clients = self._common.clients.consumer
        places = {
            self._common.common.TopicPartition(*place_of(partition)): clients.OffsetAndMetadata(offset)
            for partition, offset in offsets.items()
        }
        with self._translated("send_offsets_to_transaction"):
            self.sender.sendOffsetsToTransaction(places, clients.ConsumerGroupMetadata(group))

    def commit_transaction(self) -> None:
        """Commit: when this returns the coordinator has decided, for good."""
        self._asked("commit_transaction", "commitTransaction")

    def abort_transaction(self) -> None:
        """Abort: nothing of the transaction will ever be seen by a read_committed reader."""
        self._asked("abort_transaction", "abortTransaction")

    def close(self) -> None:
        """Close the connections; what was not sent is dropped."""
        self.sender.close(JavaClients.shared().jvm.java.time.Duration.ZERO)

    def _asked(self, call: str, javas: str) -> None:
        with self._translated(call):
            getattr(self.sender, javas)()

    @contextlib.contextmanager
    def _translated(self, call: str) -> Iterator[None]:
        from py4j.protocol import Py4JJavaError, Py4JNetworkError

        try:
            yield
        except Py4JJavaError as caught:
            raise self._error(caught.java_exception, call) from None
        except Py4JNetworkError as gone:
            raise OutcomeUnknown(f"Java's process is gone: it was done or it was not. {gone}") from None

    def _error(self, why: Any, call: str) -> CourseError:
        if why.getClass().getSimpleName() == WRAPPED:
            return self._error(why.getCause(), call)
        name, said = why.getClass().getSimpleName(), why.getMessage()
        if name == TIME_OUT:
            return TimedOut(f"No answer, and it may have arrived: call {call}() again. {said}")
        if name == ILLEGAL:
            return IllegalState(said)
        return refusal(self._common.common.protocol.Errors.forException(why).name(), f"{said} ({name})")
