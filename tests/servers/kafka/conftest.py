"""A broker for all tests of a process, and a log over it with names of the test's own."""

import secrets

import pytest
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, TopicPartition

from exactly_once.servers.kafka import Kafka
from tests.servers.conftest import had, sound

from .operated import OperatedLog


@pytest.fixture
def kafka():
    """Give the broker of this process."""
    yield from sound(had(Kafka))


def fresh_log(kafka):
    """Return a log over a broker, whose names nobody else uses."""
    return OperatedLog(kafka.where, f"test-{secrets.token_hex(4)}-")


def read_by_librdkafka(kafka, topic, partitions=1, isolation="read_uncommitted"):
    """Return the values of a topic, as text, that librdkafka reads until all partitions have ended."""
    settings = {"group_id": "none", "isolation_level": isolation, "enable_partition_eof": True}
    consumer, values, ended = Consumer(kafka.where.settings(**settings)), [], 0
    consumer.assign([TopicPartition(topic, one, OFFSET_BEGINNING) for one in range(partitions)])
    while ended < partitions:
        message = consumer.poll(1)
        if message is not None and message.error() is None:
            values.append(message.value().decode())
        elif message is not None:
            assert message.error().code() == KafkaError._PARTITION_EOF
            ended += 1
    consumer.close()
    return values


def skipped_markers(kafka, partition=""):
    """Tell whether a coordinator says that it skipped a marker for a partition without a leader (KAFKA-20734)."""
    lines = "".join(kafka.log(name).read_text() for name in kafka.commands()).splitlines()
    return any("Couldn't find leader endpoint" in line and partition in line for line in lines)


@pytest.fixture
def log(kafka):
    """Return a log over the broker."""
    with fresh_log(kafka) as log:
        yield log
