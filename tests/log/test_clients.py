"""Producers, consumers, groups, and records of every kind, on both storages."""

from itertools import pairwise

import pytest

from exactly_once.errors import BadInput
from exactly_once.log import Consumer, Pair, Producer, log_errors, open_log, partition_for

from .opened import values


def test_equal_keys_keep_their_order_in_one_partition(opened):
    log = opened(1)
    log.create_topic("t", 5)
    producer = Producer(log)
    for number in range(60):
        producer.send("t", number, key=f"user-{number % 7}")
    found = {}
    for partition in range(5):
        for record in log.fetch("t", partition, 0):
            assert record.partition == partition == partition_for(record.key, 5)
            found.setdefault(record.key, []).append(record.value)
    assert found == {f"user-{number}": list(range(number, 60, 7)) for number in range(7)}


def test_without_key_a_producer_stays_in_a_partition_for_a_while_and_then_turns():
    log = open_log(brokers=1)
    log.create_topic("t", 4)
    producer = Producer(log, seed=1)
    partitions = [producer.send("t", b"x" * 1000).partition for _ in range(60)]
    turns = sum(a != b for a, b in pairwise(partitions))
    assert turns == 3, "a turn after each 16 KB or so"
    assert producer.send("t", 1, partition=2).partition == 2
    assert producer.send("t", 1, key="k", partition=3).partition == 3, "who names a partition gets it"


TEXT = "this is another string with more length to it perhaps"
RDKAFKA = {  # keys and hashes of librdkafka's own test, tests/0048-partitioner.c
    "23456": (0xB1B451D7, 0x058D780F),
    TEXT: (0xB0150DF7, 0x4F7703DA),
    "hejsan": (0xD077037E, 0x5EC19395),
    "": (None, 0x106E08D9),
}


def test_both_partitioners_place_keys_as_librdkafkas_test_says():
    for key, (crc, murmur) in RDKAFKA.items():
        for partitions in (7, 17):
            assert partition_for(key, partitions) == partition_for(key.encode(), partitions) == murmur % partitions
            if crc is None:
                with pytest.raises(BadInput, match="An empty key counts as none with 'consistent_random'"):
                    partition_for(key, partitions, "consistent_random")
            else:
                assert partition_for(key, partitions, "consistent_random") == crc % partitions


def test_what_was_sent_is_what_is_fetched(opened):
    log = opened(1)
    log.create_topic("t")
    sent = [Pair("k", b"\x00\xff"), Pair(b"k", "é"), Pair(None, {"n": [1, None]}), Pair("", None), Pair("x", 10**30)]
    log.append("t", 0, sent)
    assert [(record.offset, record.key, record.value) for record in log.fetch("t", 0, 0)] == [
        (number, *pair) for number, pair in enumerate(sent)
    ]
    assert [record.time for record in log.fetch("t", 0, 4)] == [1_000_000]


def test_an_idempotent_producer_may_send_again(opened):
    log = opened(1)
    log.create_topic("t", 2)
    producer = Producer(log, idempotent=True)
    first = producer.send("t", "a", partition=0)
    again = producer.again()
    assert (again.offset, again.duplicate) == (first.offset, True)
    producer.send("t", "b", partition=0)
    producer.send("t", "c", partition=1)
    assert not producer.send("t", "d", partition=0).duplicate
    assert (values(log), values(log, partition=1)) == (["a", "b", "d"], ["c"])
    plain = Producer(log)
    plain.send("t", "e", partition=1)
    plain.again()
    assert values(log, partition=1) == ["c", "e", "e"], "without numbers, sent twice is there twice"
    producer.send_batch("t", (value for value in "fg"), 0)
    assert producer.again().duplicate, "what could be read only once is sent again all the same"
    assert values(log)[-2:] == ["f", "g"]


def test_a_consumer_reads_on_from_what_its_group_committed(opened):
    log = opened(3)
    log.create_topic("t", 2, replicas=2)
    for number in range(6):
        log.append("t", number % 2, [number])
    consumer = Consumer(log, "t", group="g")
    assert consumer.positions == {0: 0, 1: 0}
    assert [record.value for record in consumer.poll(2)] == [0, 2]
    consumer.commit()
    assert [record.value for record in consumer.poll(100)] == [1, 3, 5, 4]
    assert consumer.poll() == []
    second = Consumer(log.reopened(), "t", group="g")
    assert second.positions == {0: 2, 1: 0}, "what was not committed is read again"
    second.commit({0: 3})
    assert (log.committed_offset("g", "t", 0), log.committed_offset("g", "t", 1)) == (3, 0)
    assert log.committed_offset("other", "t", 0) is None
    assert Consumer(log, "t", group="other", start="latest").positions == {0: 3, 1: 3}
    assert Consumer(log, "t", partitions=[1]).positions == {1: 0}
    log.kill(0)
    assert log.committed_offset("g", "t", 0) == 3, "the offsets are replicated like all records"
    assert list(log.topics()) == ["t"]


def test_a_consumer_goes_where_it_is_told(opened):
    log = opened(1)
    log.create_topic("t")
    log.append("t", 0, ["a", "b", "c"])
    consumer = Consumer(log, "t")
    consumer.seek(0, 2)
    assert [record.value for record in consumer.poll()] == ["c"]
    assert consumer.position() == 3
    consumer.seek(0, 9)
    with pytest.raises(log_errors.OffsetOutOfRange, match="Offset 9 of t-0"):
        consumer.poll()


DAY = 86_400_000
NOW = 20_000 * DAY


def test_six_producers_one_of_whose_clocks_is_three_days_slow_double_nothing(tmp_path):
    """Their batches go through any of two handles, as with clients that meet two brokers."""
    with (
        open_log(tmp_path, 3, clock=lambda: NOW) as right,
        open_log(tmp_path, clock=lambda: NOW - 3 * DAY) as slow,
    ):
        right.create_topic("t", replicas=3)
        right.append("t", 0, ["first"])
        producers = [right.new_producer_id() for _ in range(6)]
        for producer in producers:
            slow.append("t", 0, [producer], "all", producer, 0, 0)
        for producer in producers:
            assert right.append("t", 0, [producer], "all", producer, 0, 0).duplicate
        assert [record.value for record in right.fetch("t", 0, 0)] == ["first", *producers]
        assert [record.time for record in right.fetch("t", 0, 0)] == [NOW] * 7
