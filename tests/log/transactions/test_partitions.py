"""What partitions keep of transactions: through compaction, retention and changes of leader."""

import pytest

from exactly_once.log import Pair, log_errors

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
    with pytest.raises(log_errors.InvalidProducerEpoch):
        log.append("t", 0, [Pair("a", "zombie")], "all", life[0], life[1] - 1, 1, True)


def test_who_opens_the_log_knows_what_its_writer_knows(opened):
    log = opened(3)
    log.create_topic("t", replicas=3, segment_bytes=300)
    log.coordinator(2)
    life, wanted = log.transactions.init_producer("tx"), []
    for number in range(30):
        result = "abort" if number % 3 else "commit"
        life = transaction(log, life, [f"{number} {part}" for part in range(number % 4 + 2)], result)
        wanted += [f"{number} {part}" for part in range(number % 4 + 2)] * (result == "commit")
        if number % 10 == 0:
            log.kill(number % 3)
            log.revive(number % 3)
    end = log.log_end("t", 0)
    known = log.aborted("t", 0, 0, end)
    assert len(known) == 20
    for one in (log, log.reopened()):
        assert values(one, **COMMITTED) == wanted
        assert one.aborted("t", 0, 0, end) == known
        with pytest.raises(log_errors.InvalidProducerEpoch):
            one.append("t", 0, ["zombie"], "all", life[0], life[1] - 1, 9, True)


def test_what_was_cut_off_is_forgotten(opened):
    log = opened(3, replication="manual")
    log.create_topic("t", replicas=3)
    log.coordinator(2)
    producer, epoch = log.transactions.init_producer("tx")
    log.append("t", 0, ["a"], 1, producer, epoch, 0, True)
    log.replicate()
    for number in range(1, 5):
        log.append("t", 0, ["lost"], 1, producer, epoch, number, True)
    log.kill(0)
    log.transactions.end("tx", producer, epoch, "abort")
    log.write_due_markers()
    log.append("t", 0, ["plain"], 1)
    log.revive(0)
    log.replicate()
    log.write_due_markers()
    for broker in (1, 2):
        log.kill(broker)
    log.elect("t", 0)
    for one in (log, log.reopened()):
        assert values(one, **COMMITTED) == ["plain"]
        assert one.aborted("t", 0, 0, 3) == [(producer, 0)]
