"""The pipeline of `batched` on a real Kafka, with confluent-kafka.

Records are sent without waiting for the answers, and a commit first waits for all of them, as programs at work do.
`linger.ms` is librdkafka's default, 5; 5,000 records at most wait to be sent, so that a commit waits for no more. On
one broker acks=all waits for no other; a cluster of more has followers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

from confluent_kafka import KafkaError, TopicPartition

from ..errors import CourseError
from ..log.kafka.clients import Consumer, Producer, TransactionalProducer, error_of
from ..log.kafka.log import KafkaLog
from ..servers import by_url
from ..servers.kafka.where import Where
from .batched import BATCH, LOOK_SECONDS, Fill, Piped, Seen, record

STORED = 200  # batches in all input partitions: to begin anew costs a client some milliseconds
SETTINGS = {"linger_ms": 5, "queue_buffering_max_messages": 5000}
FETCH_WAIT_MS = 5  # that a fetch waits at the end of a full input, which begins anew when it has returned
FLUSH_SECONDS = 30.0
MOST_COPIES = 3


class Sender:
    """A producer that does not wait for the answer to what it sends to a topic; `flush` does."""

    def __init__(self, producer: Producer, topic: str) -> None:
        self.producer, self.topic = producer, topic
        self.failed: list[KafkaError] = []

    def _heard(self, why: KafkaError | None, _: object) -> None:
        if why is not None:
            self.failed.append(why)

    def send(self, partition: int, values: list[bytes]) -> None:
        """Put records into the producer's queue, and wait for room where it is full."""
        for value in values:
            while True:
                try:
                    self.producer.sender.produce(self.topic, value, partition=partition, on_delivery=self._heard)
                    break
                except BufferError:
                    self.producer.sender.poll(LOOK_SECONDS)
        self.producer.sender.poll(0)

    def flush(self) -> None:
        """Wait for all answers. Raises the first refusal, and `CourseError` when some do not come."""
        left = self.producer.sender.flush(FLUSH_SECONDS)
        if self.failed:
            raise error_of(self.failed[0])
        if left:
            raise CourseError(f"{left:,} records were not acknowledged within {FLUSH_SECONDS:g} s.")

    def close(self) -> None:
        """Close the connections."""
        self.producer.close()


class KafkaPipeline(Piped):
    """The pipeline with two new topics of a cluster, which are deleted at the end."""

    def __init__(self, url: str, way: str, partitions: int, full: bool, settings: Mapping[str, Any]) -> None:
        super().__init__(way, partitions)
        self.where, name = Where.parse(url), by_url.new_name()
        self.stored = max(STORED // partitions, 1) * BATCH * full
        self.topics = self.inputs, self.outputs = f"{name}.in", f"{name}.out"
        self.group = f"{name}.pipeline"
        self.log = KafkaLog(self.where)
        for topic in self.topics:
            self.log.create_topic(topic, partitions, min(len(self.where.hosts), MOST_COPIES))
            for partition in range(partitions):
                self.log.high_watermark(topic, partition)  # from now on the partition's leader knows of it
        if full:
            with self.filling() as append:
                for partition in range(partitions):
                    append(partition, [record(number) for number in range(self.stored)])
        self.consumer = Consumer(
            self.where, self.inputs, self.group, range(partitions), fetch_wait_max_ms=FETCH_WAIT_MS
        )
        more = {**SETTINGS, **settings}
        producer: Producer = (
            TransactionalProducer(self.where, name, **more)
            if way == "transactional"
            else Producer(self.where, idempotent=way == "idempotent", **more)
        )
        if isinstance(producer, TransactionalProducer):
            producer.init_transactions()
        self.sender = Sender(producer, self.outputs)

    def begin(self) -> None:
        """Begin a transaction, in the way that has them."""
        if isinstance(self.sender.producer, TransactionalProducer):
            self.sender.producer.begin_transaction()

    def read(self) -> Iterable[tuple[int, list[bytes]]]:
        """Yield the next records by partition; a full input begins anew when all its partitions are read."""
        if self.stored and all(at == self.stored for at in self.positions.values()):
            self.positions = dict.fromkeys(self.positions, 0)
            self.consumer.client.assign([TopicPartition(self.inputs, one, 0) for one in self.positions])
        found: dict[int, list[bytes]] = defaultdict(list)
        for message in self.consumer.client.consume(BATCH, LOOK_SECONDS):
            if is_record(message):
                found[message.partition()].append(message.value())
                self.positions[message.partition()] = message.offset() + 1
        return found.items()

    def send(self, partition: int, values: list[bytes]) -> None:
        """Send records to a partition of the output, without waiting for the answer."""
        self.sender.send(partition, values)

    def flush(self) -> None:
        """Wait until all that was sent is acknowledged."""
        self.sender.flush()

    def commit(self) -> None:
        """Commit the positions, with the records or, when these are acknowledged, by themselves."""
        producer = self.sender.producer
        if isinstance(producer, TransactionalProducer):
            positions = {f"{self.inputs}-{partition}": at for partition, at in self.positions.items()}
            producer.send_offsets_to_transaction(positions, self.group)
            producer.commit_transaction()
        else:
            self.flush()
            self.consumer.commit(self.positions)

    @contextmanager
    def filling(self) -> Iterator[Fill]:
        """Give a function that appends records to a partition of the input."""
        with closing(Sender(Producer(self.where), self.inputs)) as sender:
            yield sender.send
            sender.flush()

    def seen(self) -> Generator[Seen, None, None]:
        """Yield without end what a new read_committed reader sees."""
        with closing(
            Consumer(self.where, self.outputs, None, self.positions, isolation="read_committed")
        ) as consumer:
            while True:
                found = consumer.client.consume(10 * BATCH, LOOK_SECONDS)
                yield [(message.partition(), message.value()) for message in found if is_record(message)]

    def close(self) -> None:
        """Close the connections, and delete the topics."""
        self.consumer.close()
        self.sender.close()
        for topic in self.topics:
            self.log.delete_topic(topic)
        self.log.close()


def is_record(message: Any) -> bool:
    """Tell whether librdkafka gave a record, and not the news that a partition has ended. Raises its other errors."""
    why = message.error()
    if why is not None and why.code() != KafkaError._PARTITION_EOF and not why.retriable():
        raise error_of(why)
    return why is None
