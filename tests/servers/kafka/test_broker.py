"""The broker: only with the secret, and named by a URL."""

import pytest

from exactly_once.errors import BadInput, CourseError, OutcomeUnknown
from exactly_once.log.kafka.kafka_log import KafkaLog, Where
from exactly_once.servers import rebalance
from exactly_once.servers.kafka import Kafka


def test_nobody_gets_in_without_the_secret(kafka):
    guessed, stranger = Where(kafka.where.servers, "course", "guessed"), Where(kafka.where.servers)
    with KafkaLog(guessed, seconds=1) as log, pytest.raises(CourseError, match="refuses the login of 'course'"):
        log.new_producer_id()
    with KafkaLog(stranger, seconds=1) as log, pytest.raises(OutcomeUnknown):
        log.new_producer_id()
    assert kafka.secret not in repr(kafka.where)


def test_a_cluster_is_named_by_a_url(kafka):
    for url, where in (
        ("kafka://host:9092", Where("host:9092")),
        ("kafka://a:1,b:2", Where("a:1,b:2")),
        ("kafka://me:p%40ss@a:1,b:2", Where("a:1,b:2", "me", "p@ss")),
        (kafka.url, kafka.where),
    ):
        assert Where.parse(url) == where
    for url in ("kafka://", "kafka:host", "http://host:1", "kafka://host", "kafka://host:x", "", None):
        with pytest.raises(BadInput, match="A cluster of kafka is named by a URL"):
            Where.parse(url)
    for settings in ("log.retention.hours=1", ("no value",), ("a=b\nc=d",), (3,)):
        with pytest.raises(BadInput, match="A setting of a broker is"):
            Kafka(settings=settings)
    for wrong in ({"how": "slowly"}, {"producers": "none"}, {"metadata": "old"}, {"session_ms": 1}):
        with pytest.raises(BadInput):
            rebalance(kafka=kafka, **wrong)
