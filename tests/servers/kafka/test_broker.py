"""The broker: only with the secret, only on loopback, killed and back with what it had, and little of the machine."""

import pytest

from exactly_once.errors import BadInput, CourseError, OutcomeUnknown
from exactly_once.log import Producer
from exactly_once.log.kafka.log import KafkaLog, Where
from exactly_once.servers import rebalance
from exactly_once.servers.kafka.broker import Kafka
from tests.servers.conftest import started

from .operated import OperatedLog


def test_nobody_gets_in_without_the_secret(kafka):
    guessed, stranger = Where(kafka.where.servers, "course", "guessed"), Where(kafka.where.servers)
    with KafkaLog(guessed, seconds=1) as log, pytest.raises(CourseError, match="refuses the login of 'course'"):
        log.new_producer_id()
    with KafkaLog(stranger, seconds=1) as log, pytest.raises(OutcomeUnknown):
        log.new_producer_id()
    assert kafka.secret not in repr(kafka.where)


@pytest.mark.some(day=1)
def test_killed_and_started_it_has_what_it_had(kafka, log):
    log.create_topic("t")
    Producer(log).send("t", "before")
    kafka.kill()
    with pytest.raises(OutcomeUnknown):
        Producer(log).send("t", "nobody hears it")
    kafka.start()
    Producer(log).send("t", "after")
    assert [record.value for record in log.fetch("t", 0, 0)] == ["before", "after"]


@pytest.mark.slow
def test_three_nodes_go_on_without_the_leader():
    kafka = started(Kafka, nodes=3)
    try:
        with OperatedLog(kafka.where) as log:
            log.create_topic("t", replicas=3, min_insync_replicas=2)
            Producer(log).send("t", 1)
            leader = f"broker-{log.leader('t', 0)}"
            kafka.kill(leader)
            log.hang_up()
            with KafkaLog(kafka.where) as other:
                Producer(other).send("t", 2)
                assert [record.value for record in other.fetch("t", 0, 0)] == [1, 2]
            kafka.start(leader)
            assert all(map(kafka.alive, kafka.commands()))
    finally:
        kafka.stop()


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
