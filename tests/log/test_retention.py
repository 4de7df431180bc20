"""Deleted records, and the knowledge that stays after deletion; on both storages."""

import pytest

from exactly_once.log import Pair, log_errors

from .opened import held, values

BIG = "x" * 100


def segments(log, broker=0):
    (replica,) = [one for one in log.snapshot()["partitions"][0]["replicas"] if one["broker"] == broker]
    return sorted({record["segment"] for record in replica["records"]})


def test_old_segments_go_whole_and_the_newest_goes_last(opened, clock):
    log = opened(3)
    log.create_topic("t", replicas=3, segment_bytes=250, retention_ms=1000)
    for _ in range(5):
        log.append("t", 0, [BIG])
        clock.now += 400
    assert log.retain() == 1, "the segment of offsets 0 and 1 is over a second old; the next ones are not"
    assert (log.log_start("t", 0), log.log_end("t", 0)) == (2, 5)
    assert all(len(held(log, broker)) == 3 for broker in range(3)), "followers follow the log start"
    assert [disk.headers("t-0")[0].base for disk in log.disks] == [2, 2, 2]
    with pytest.raises(log_errors.OffsetOutOfRange, match="this log has the offsets 2 to 5"):
        log.fetch("t", 0, 1)
    clock.now += 600
    assert log.retain() == 1
    assert log.log_start("t", 0) == 4, "the newest segment is full of room, and its record is a second old"
    clock.now += 1
    assert log.retain() == 1
    assert (log.log_start("t", 0), log.log_end("t", 0)) == (5, 5), "nothing is left, and no offset is given again"
    assert [held(log, broker) for broker in range(3)] == [[]] * 3
    assert log.reopened().append("t", 0, ["new"]).offset == 5
    assert (segments(log), values(log, start=5)) == ([5], ["new"])


def test_what_deleted_batches_said_of_producers_and_epochs_is_kept(opened, clock):
    log = opened(2)
    log.create_topic("t", replicas=2, segment_bytes=10)
    producer = log.new_producer_id()
    log.append("t", 0, ["a"], "all", producer, 3, 0)
    log.kill(0)
    log.revive(0)
    log.append("t", 0, ["b"])
    log.delete_records("t", 0, 2)
    for again in (log, log.reopened()):
        assert again.append("t", 0, ["a"], "all", producer, 3, 0).duplicate
        with pytest.raises(log_errors.InvalidProducerEpoch):
            again.append("t", 0, ["z"], "all", producer, 2, 0)
        assert again.snapshot()["partitions"][0]["replicas"][1]["epochs"] == [[0, 0], [1, 1]]
    assert log.append("t", 0, ["c"]).offset == 2


def compacted(opened, brokers=1, **settings):
    log = opened(brokers)
    log.create_topic("t", compact=True, segment_bytes=1, **settings)
    return log


def test_compaction_keeps_the_newest_record_of_each_key_at_its_offset(opened):
    log = compacted(opened, 2, replicas=2)
    log.append("t", 0, [Pair("a", 1), Pair("b", 1), Pair("a", 2)])
    log.append("t", 0, [Pair("b", 2), Pair("c", 1)])
    log.append("t", 0, [Pair("b", 3)])
    log.append("t", 0, [Pair("a", 3)])
    assert log.compact("t", 0) == 3
    found = [(record.offset, record.key, record.value) for record in log.fetch("t", 0, 0)]
    assert found == [(2, "a", 2), (4, "c", 1), (5, "b", 3), (6, "a", 3)], "the newest segment is left as it is"
    assert log.compact("t", 0) == 0
    assert [record.offset for record in log.fetch("t", 0, 3)] == [4, 5, 6], "a gap leads to the next record"
    assert log.append("t", 0, [Pair("d", 1)]).offset == 7
    log.kill(0)
    assert [record.offset for record in log.fetch("t", 0, 0)] == [2, 4, 5, 6, 7]
    log.revive(0)
    log.kill(1)
    assert [record.offset for record in log.fetch("t", 0, 0)] == [2, 4, 5, 6, 7]


def test_a_tombstone_removes_its_key_and_goes_later(opened, clock):
    log = compacted(opened)
    log.append("t", 0, [Pair("a", 1)])
    log.append("t", 0, [Pair("a", None)])
    log.append("t", 0, [Pair("b", 1)])
    log.compact("t", 0, tombstone_ms=1000)
    assert values(log) == [None, 1], "a reader that is behind has to learn that the key went"
    clock.now += 1001
    log.append("t", 0, [Pair("c", 1)])
    log.compact("t", 0, tombstone_ms=1000)
    assert values(log) == [1, 1]
    assert log.log_end("t", 0) == 4
