"""What partitions keep of transactions: through compaction, retention, checkpoints and changes of leader."""

import pytest

from exactly_once.log import Pair, errors
from exactly_once.log.broker import log_index
from exactly_once.log.broker.log_index import LogIndex
from exactly_once.log.broker.producer_state import Producers

from ..opened import values

COMMITTED = {"isolation": "read_committed"}


def transaction(log, life, records, result, topic="t", partition=0):
    """Write records, each as a batch, in one transaction. Returns the life that goes on."""
    producer, epoch = life
    log.transactions.add_partitions("tx", producer, epoch, [f"{topic}-{partition}"])
    for number, record in enumerate(records):
        log.append(topic, partition, [record], "all", producer, epoch, number, True)
    life = log.transactions.end("tx", producer, epoch, result)
    log.write_due_markers()
    return life


def kinds(log):
    return [(batch.base, batch.kind) for batch in log.disks[0].headers("t-0")]


def test_a_marker_goes_after_the_last_record_of_its_transaction(opened, clock):
    log = opened(1)
    log.create_topic("t", compact=True, segment_bytes=1)
    log.coordinator(2)
    life = log.transactions.init_producer("tx")
    life = transaction(log, life, [Pair("a", 1), Pair("b", 1)], "commit")
    life = transaction(log, life, [Pair("a", 2)], "abort")
    life = transaction(log, life, [Pair("a", 3)], "commit")
    log.append("t", 0, [Pair("z", 1)])
    for wait, left in ((1000, [1, 2, 4, 5, 6, 7]), (1, [1, 2, 5, 6, 7])):
        clock.now += wait
        log.compact("t", 0, tombstone_ms=1000)
        assert [base for base, _ in kinds(log)] == left, "an aborted record goes at once, and its marker later"
        for one in (log, log.reopened()):
            assert values(one, **COMMITTED) == [1, 3, 1]
    log.append("t", 0, [Pair("b", 4)])
    log.append("t", 0, [Pair("z", 2)])
    log.compact("t", 0, tombstone_ms=1000)
    assert [base for base, _ in kinds(log)] == [5, 6, 7, 8, 9], "the first transaction has no record left"
    assert values(log.reopened(), **COMMITTED) == [3, 1, 4, 2]
    with pytest.raises(errors.InvalidProducerEpoch):
        log.append("t", 0, [Pair("a", "zombie")], "all", life[0], life[1] - 1, 1, True)


def test_nothing_of_an_open_transaction_is_compacted(opened, clock):
    log = opened(1)
    log.create_topic("t", compact=True, segment_bytes=1)
    log.coordinator(2)
    producer, epoch = log.transactions.init_producer("tx")
    log.append("t", 0, [Pair("a", 1)])
    log.append("t", 0, [Pair("a", 2)], "all", producer, epoch, 0, True)
    log.append("t", 0, [Pair("a", 3)])
    log.append("t", 0, [Pair("z", 1)])
    clock.now += 10_000
    assert log.compact("t", 0, tombstone_ms=0) == 0
    log.transactions.end("tx", producer, epoch, "commit")
    assert log.compact("t", 0, tombstone_ms=0) == 0, "it is decided, and its marker is not written"
    log.write_due_markers()
    log.append("t", 0, [Pair("z", 2)])
    assert log.compact("t", 0, tombstone_ms=0) == 2
    assert values(log, **COMMITTED) == [3, 1, 2]


def test_what_retention_leaves_of_an_aborted_transaction_stays_hidden(opened, clock):
    log = opened(1)
    log.create_topic("t", segment_bytes=1, retention_ms=1000)
    log.coordinator(2)
    producer, epoch = log.transactions.init_producer("tx")
    log.append("t", 0, ["aborted"], "all", producer, epoch, 0, True)
    clock.now += 2000
    log.append("t", 0, ["aborted too"], "all", producer, epoch, 1, True)
    assert log.retain() == 1, "age counts, and not that the transaction is open"
    assert log.last_stable("t", 0) == log.log_start("t", 0) == 1
    assert values(log, start=1, **COMMITTED) == []
    log.transactions.end("tx", producer, epoch, "abort")
    log.write_due_markers()
    log.append("t", 0, ["plain"])
    for one in (log, log.reopened()):
        assert values(one, start=1, **COMMITTED) == ["plain"]
        assert values(one, start=1) == ["aborted too", "plain"]
        assert one.aborted("t", 0, 1, 4) == [(producer, 0)]
    clock.now += 2000
    log.append("t", 0, ["newest"])
    log.retain()
    assert log.log_start("t", 0) == 4
    assert log.aborted("t", 0, 4, 5) == []
    (entries,) = [log.disks[0].get(LogIndex.key("t-0"))["producers"]]
    assert entries["aborted"] == [], "of what is gone wholly, nothing is kept"


@pytest.fixture
def often(monkeypatch):
    monkeypatch.setattr(log_index, "CHECKPOINT", 2)


def full(disk, name):
    """Return what a log's own batches say, without any checkpoint."""
    found = Producers()
    for batch in disk.headers(name):
        found.note(batch)
    return found.dump()


def test_a_checkpoint_says_what_the_log_says(opened, often):
    log = opened(1)
    log.create_topic("t", segment_bytes=300)
    log.coordinator(2)
    life = log.transactions.init_producer("tx")
    for number in range(9):
        life = transaction(log, life, ["x"] * (number % 3 + 1), "abort" if number % 2 else "commit")
        (disk,) = log.disks
        found = LogIndex.rebuilt(disk, "t-0")
        known = log.replica(0, log.topic("t"), 0).log_index
        assert found.producers.dump() | {"ended": []} == known.producers.dump() | {"ended": []}
        assert found.producers.dump()["entries"] == full(disk, "t-0")["entries"]
        assert (
            found.producers.aborted == known.producers.aborted == [tuple(one) for one in full(disk, "t-0")["aborted"]]
        )
        assert (found.segment, found.segment_size) == (known.segment, known.segment_size)
        assert (found.end, found.time, found.epochs.starts) == (known.end, known.time, known.epochs.starts)
    assert len(known.producers.aborted) == 4
    assert disk.get("checkpoint/t-0")["end"] > log.log_end("t", 0) - 5, "little is read again"


def test_a_checkpoint_beyond_what_was_cut_off_is_forgotten(opened, often):
    log = opened(3, replication="manual")
    log.create_topic("t", replicas=3)
    log.coordinator(2)
    producer, epoch = log.transactions.init_producer("tx")
    log.append("t", 0, ["a"], 1, producer, epoch, 0, True)
    log.replicate()
    for number in range(1, 6):
        log.append("t", 0, ["lost"], 1, producer, epoch, number, True)
    assert log.disks[0].get("checkpoint/t-0")["end"] == 6
    log.kill(0)
    log.transactions.end("tx", producer, epoch, "abort")
    log.write_due_markers()
    log.append("t", 0, ["plain"], 1)
    log.revive(0)
    log.replicate()
    log.write_due_markers()
    for disk in log.disks:
        assert LogIndex.rebuilt(disk, "t-0").producers.aborted == [(producer, 0, 1)]
    for broker in (1, 2):
        log.kill(broker)
    log.elect("t", 0)
    assert values(log, **COMMITTED) == ["plain"]
    assert log.aborted("t", 0, 0, 9) == [(producer, 0)]


def test_whether_a_record_was_aborted_is_found_among_many():
    producers = Producers(aborted=[(1, base, base + 5) for base in range(0, 1000, 10)] + [(2, 3, 2000)])

    class Batch:
        kind = "transactional"

        def __init__(self, producer, base):
            self.producer, self.base = producer, base

    assert [base for base in range(30) if producers.is_aborted(Batch(1, base))] == [
        *range(5),
        *range(10, 15),
        *range(20, 25),
    ]
    assert [base for base in (0, 3, 1999, 2000) if producers.is_aborted(Batch(2, base))] == [3, 1999]
    assert not producers.is_aborted(Batch(3, 1))
    assert producers.aborted_between(985, 1000) == [(1, 980), (1, 990), (2, 3)]
