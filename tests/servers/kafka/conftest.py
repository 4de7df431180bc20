"""A broker for all tests of a process, and a log over it with names of the test's own."""

import secrets

import pytest

from exactly_once.log.kafka.log import KafkaLog
from exactly_once.servers.kafka.broker import Kafka
from tests.servers.conftest import had, sound


@pytest.fixture
def kafka():
    """Give the broker of this process."""
    yield from sound(had(Kafka))


def fresh_log(kafka, protocol):
    """Return a log over a broker, whose names nobody else uses."""
    return KafkaLog(kafka.where, protocol, f"test-{secrets.token_hex(4)}-")


def skipped_markers(kafka, partition=""):
    """Tell whether a coordinator says that it skipped a marker for a partition without a leader (KAFKA-20734)."""
    lines = "".join(kafka.log(name).read_text() for name in kafka.commands()).splitlines()
    return any("Couldn't find leader endpoint" in line and partition in line for line in lines)


@pytest.fixture(params=[1, 2], ids=["protocol-1", "protocol-2"])
def log(request, kafka):
    """Return a log over the broker that speaks one protocol of transactions, then the other."""
    with fresh_log(kafka, request.param) as log:
        yield log
