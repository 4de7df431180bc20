"""The log's interface over a broker: what the course's own clients do with it, and what librdkafka does."""

import confluent_kafka
import pytest

from exactly_once.log import Consumer, Pair, Producer, log_errors, open_log, partition_for
from tests.servers.kafka.conftest import fresh_log, read_by_librdkafka

VALUES = ["text", "ü – ‘größer’", "", b"\x00\xff", None, 1, 1.5, [1, [2]], {"a": None}, True]
KEYS = ["21", "a-little-bit-longer-string", "abc", "Grüße", "user-7"]


@pytest.fixture(params=["course", "kafka"])
def either(request):
    """Return the course's log, or one over a broker: what they answer is the same."""
    if request.param == "course":
        return open_log("memory:", 1)
    return fresh_log(request.getfixturevalue("kafka"))


def test_records_come_back_as_they_were(either):
    either.create_topic("t", 2)
    receipt = either.append("t", 1, [Pair("key", value) for value in VALUES])
    assert (receipt.offset, receipt.count, receipt.duplicate) == (0, len(VALUES), False)
    found = either.fetch("t", 1, 3)
    assert [(record.offset, record.key, record.value) for record in found] == [
        (number, "key", value) for number, value in enumerate(VALUES) if number >= 3
    ]
    assert [type(record.value) for record in found] == list(map(type, VALUES[3:]))
    assert found.next == either.high_watermark("t", 1) == len(VALUES)
    assert either.fetch("t", 1, 0, max_records=2).next == 2
    assert list(either.fetch("t", 0, 0)) == []
    with pytest.raises(log_errors.OffsetOutOfRange):
        either.fetch("t", 1, 99)


def test_a_consumer_keeps_its_place(either):
    either.create_topic("t", 3)
    producer = Producer(either)
    for number in range(20):
        producer.send("t", number, key=KEYS[number % len(KEYS)])
    consumer = Consumer(either, "t", "readers")
    first = consumer.poll(7)
    consumer.commit()
    rest = Consumer(either, "t", "readers").poll()
    assert sorted(record.value for record in first + rest) == list(range(20))
    assert all(record.partition == partition_for(record.key, 3) for record in first + rest)
    with pytest.raises(log_errors.UnknownTopicOrPartition):
        either.append("t", 3, ["x"])


def test_a_numbered_batch_is_written_once(either):
    either.create_topic("t")
    producer = Producer(either, idempotent=True)
    assert producer.send("t", "once").duplicate is False
    assert (producer.again().offset, producer.again().duplicate) == (0, True)
    producer.send("t", "twice")
    with pytest.raises(log_errors.OutOfOrderSequence):
        either.append("t", 0, ["gap"], "all", producer.producer, 0, 9)
    assert [record.value for record in either.fetch("t", 0, 0)] == ["once", "twice"]


def test_a_transaction_covers_records_and_offsets(either):
    either.create_topic("in")
    either.create_topic("out", 2)
    producer = either.transactional_producer("mover")
    producer.init_transactions()
    for number, end in enumerate(
        (producer.commit_transaction, producer.abort_transaction, producer.commit_transaction)
    ):
        producer.begin_transaction()
        producer.send("out-0", [f"a{number}"])
        producer.send("out-1", [f"b{number}"])
        producer.send_offsets_to_transaction({"in-0": number + 1}, "movers")
        assert either.last_stable("out", 0) < either.high_watermark("out", 0)
        with pytest.raises(log_errors.UnstableOffsetCommit):
            either.committed_offset("movers", "in", 0, require_stable=True)
        end()
        assert either.committed_offset("movers", "in", 0) == (1, 1, 3)[number]
    seen = [[one.value for one in either.fetch("out", part, 0, isolation="read_committed")] for part in (0, 1)]
    assert seen == [["a0", "a2"], ["b0", "b2"]]
    assert [one.value for one in either.fetch("out", 0, 0)] == ["a0", "a1", "a2"]
    assert either.high_watermark("out", 0) == 6, "three records, three markers"


def test_a_zombie_is_fenced(either):
    either.create_topic("t")
    old, new = either.transactional_producer("one"), either.transactional_producer("one")
    old.init_transactions()
    old.begin_transaction()
    old.send("t-0", ["zombie"])
    new.init_transactions()
    with pytest.raises((log_errors.ProducerFenced, log_errors.InvalidProducerEpoch)) as why:
        old.commit_transaction()
    assert why.value.fatal
    new.begin_transaction()
    new.send("t-0", ["new"])
    new.commit_transaction()
    assert [record.value for record in either.fetch("t", 0, 0, isolation="read_committed")] == ["new"]


def test_librdkafka_and_the_course_read_each_other(kafka, log):
    log.create_topic("t", 4)
    topic, given = f"{log.prefix}t", []
    for partitioner in ("murmur2_random", "consistent_random"):
        settings = kafka.where.settings(enable_idempotence=True, partitioner=partitioner)
        theirs = confluent_kafka.Producer(settings)
        for key in KEYS:
            theirs.produce(topic, "librdkafka", key, on_delivery=lambda _, message: given.append(message))
        theirs.flush()
        assert {(one.key().decode(), one.partition()) for one in given} == {
            (key, partition_for(key, 4, partitioner)) for key in KEYS
        }
        given.clear()
    for key in KEYS:
        Producer(log).send("t", "the course", key=key)
    assert sorted(read_by_librdkafka(kafka, topic, 4)) == sorted(["librdkafka"] * 10 + ["the course"] * 5)
    assert sorted(one.key for one in Consumer(log, "t").poll()) == sorted(KEYS * 3)


def test_without_acknowledgement_nobody_says_where(either):
    either.create_topic("t")
    either.append("t", 0, ["w"])  # a broker that does not know of a new topic yet closes the connection at acks=0
    receipt = either.append("t", 0, ["x"], acks=0)
    assert (receipt.offset, receipt.acknowledged) == (None, False)
    either.append("t", 0, ["y"])
    assert [record.value for record in either.fetch("t", 0, 0)] == ["w", "x", "y"]
