"""The broker: only with the secret, only on loopback, killed and back with what it had, and little of the machine."""

import hashlib
import socket

import psutil
import pytest

from exactly_once.errors import BadInput, CourseError, OutcomeUnknown
from exactly_once.log import Producer
from exactly_once.log.kafka.log import KafkaLog, Where
from exactly_once.servers.kafka import jars
from exactly_once.servers.kafka.broker import Kafka
from tests.servers.conftest import started

MIB = 2**20


def test_nobody_gets_in_without_the_secret(kafka):
    guessed, stranger = Where(kafka.where.servers, "course", "guessed"), Where(kafka.where.servers)
    with KafkaLog(guessed, seconds=1) as log, pytest.raises(CourseError, match="refuses the login of 'course'"):
        log.new_producer_id()
    with KafkaLog(stranger, seconds=1) as log, pytest.raises(OutcomeUnknown):
        log.new_producer_id()
    assert kafka.secret not in repr(kafka.where) + kafka.url
    command = " ".join(psutil.Process(kafka.pid()).cmdline())
    assert kafka.secret not in command


def test_it_listens_on_loopback_alone(kafka):
    process = psutil.Process(kafka.pid())
    listening = [one.laddr for one in process.net_connections("tcp") if one.status == psutil.CONN_LISTEN]
    assert len(listening) == 2, "clients and controllers"
    assert {one.ip.removeprefix("::ffff:") for one in listening} == {"127.0.0.1"}
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.2", listening[0].port), 5)


def test_it_needs_little_memory():
    kafka = started(Kafka)  # one that no other test has had
    try:
        with KafkaLog(kafka.where) as log:
            log.create_topic("t")
            producer = log.transactional_producer("x")
            producer.init_transactions()
            producer.begin_transaction()
            for _ in range(100):
                producer.send("t-0", ["x" * 1000])
            producer.commit_transaction()
        assert psutil.Process(kafka.pid()).memory_info().rss < 220 * MIB
    finally:
        kafka.stop()


def test_killed_and_started_it_has_what_it_had(kafka, log):
    log.create_topic("t")
    Producer(log).send("t", "before")
    kafka.kill()
    with pytest.raises(OutcomeUnknown):
        Producer(log).send("t", "nobody hears it")
    kafka.start()
    Producer(log).send("t", "after")
    assert [record.value for record in log.fetch("t", 0, 0)] == ["before", "after"]


def test_three_nodes_go_on_without_the_leader():
    kafka = started(Kafka, nodes=3)
    try:
        with KafkaLog(kafka.where) as log:
            log.create_topic("t", replicas=3, min_insync_replicas=2)
            Producer(log).send("t", 1)
            ports = {port: f"broker-{number}" for number, (_, port) in enumerate(kafka.where.hosts, 1)}
            leader = ports[log._address(("leader", "t", 0))[1]]
            kafka.kill(leader)
            log.hang_up()
            with KafkaLog(kafka.where) as other:
                Producer(other).send("t", 2)
                assert [record.value for record in other.fetch("t", 0, 0)] == [1, 2]
            kafka.start(leader)
            assert all(map(kafka.alive, kafka.commands()))
    finally:
        kafka.stop()


@pytest.mark.parametrize("settings", ["log.retention.hours=1", ("no value",), ("a=b\nc=d",), (3,)])
def test_settings_are_texts_with_a_value(kafka, settings):
    with pytest.raises(BadInput, match="A setting of a broker is"):
        Kafka(settings=settings)


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("kafka://host:9092", Where("host:9092")),
        ("kafka://a:1,b:2", Where("a:1,b:2")),
        ("kafka://me:p%40ss@a:1,b:2", Where("a:1,b:2", "me", "p@ss")),
    ],
)
def test_a_cluster_is_named_by_a_url(url, where):
    assert Where.parse(url) == where
    assert where.hosts[0][1] in (9092, 1)


@pytest.mark.parametrize(
    "url", ["kafka://", "kafka:host", "http://host:1", "kafka://host", "kafka://host:x", "", None]
)
def test_another_text_names_none(url):
    with pytest.raises(BadInput, match="A Kafka cluster is named by a URL"):
        Where.parse(url)


def test_the_lock_names_what_is_there(kafka):
    for library, digest in jars.locked().items():
        assert hashlib.sha256((jars.PLACE / jars.file_of(library)).read_bytes()).hexdigest() == digest


def test_an_altered_library_is_not_used(kafka, monkeypatch, tmp_path):
    (tmp_path / "kafka.txt").write_text(f"{'0' * 64} org.apache.kafka:kafka-tools-api:4.3.1\n")
    monkeypatch.setattr(jars, "LOCK", tmp_path / "kafka.txt")
    monkeypatch.setattr(jars, "PLACE", tmp_path / "kafka")
    (tmp_path / "kafka").mkdir()
    with pytest.raises(CourseError, match=r"came with the SHA-256 \w{64}, and kafka.txt says 0{64}"):
        jars.fetch(tmp_path / "kafka")
    with pytest.raises(CourseError, match="Call `make servers`"):
        Kafka()


def test_what_maven_central_does_not_have_is_said(monkeypatch, tmp_path):
    (tmp_path / "kafka.txt").write_text(f"{'0' * 64} org.apache.kafka:kafka-tools-api:0.0.0\n")
    monkeypatch.setattr(jars, "LOCK", tmp_path / "kafka.txt")
    with pytest.raises(OSError, match=r"did not give kafka-tools-api-0.0.0.jar; Ivy says: .*kafka-tools-api"):
        jars.fetch(tmp_path)
