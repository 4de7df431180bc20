"""What leaders let in: a batch, after the coordinator was asked (KIP-890, part 1), and a marker (KIP-1228)."""

import pytest

from exactly_once.log import log_errors, open_log


@pytest.mark.parametrize("protocol", [1, 2])
@pytest.mark.parametrize("verification", [True, False])
def test_what_comes_after_the_marker_hangs_only_where_nobody_asks(protocol, verification):
    log = open_log("memory:", clock=lambda: 0)
    log.create_topic("out")
    coordinator = log.coordinator(protocol, verification=verification)
    producer, epoch = coordinator.init_producer("p")
    coordinator.add_partitions("p", producer, epoch, ["out-0"])
    log.append("out", 0, ["a"], "all", producer, epoch, 0, transactional=True)
    coordinator.end("p", producer, epoch, "abort")
    log.write_due_markers()
    late = ("out", 0, ["late"], "all", producer, epoch, 1)
    if protocol == 1 and not verification:
        assert log.append(*late, transactional=True).offset == 2
        assert (log.last_stable("out", 0), log.log_end("out", 0)) == (2, 3)
        return
    with pytest.raises(log_errors.InvalidTxnState if protocol == 1 else log_errors.InvalidProducerEpoch):
        log.append(*late, transactional=True)
    assert log.last_stable("out", 0) == log.log_end("out", 0)


def marked(protocol=2, **rule):
    """Return a log with a committed transaction, the producer's next id and epoch, and a copy of the marker."""
    log = open_log("memory:", clock=lambda: 0)
    log.create_topic("out")
    log.coordinator(protocol, **rule)
    producer = log.transactional_producer("p")
    producer.init_transactions()
    producer.begin_transaction()
    producer.send("out-0", ["first"])
    life = log.transactions.end("p", producer.producer, producer.epoch, "commit")
    (due,) = log.transactions.due()
    log.write_due_markers()
    again = "out", 0, due.producer, due.epoch, due.result, due.coordinator, due.rules
    return log, life, again


def begins(log, life, sequence=0):
    log.transactions.add_partitions("p", *life, ["out-0"])
    log.append("out", 0, ["second"], "all", *life, sequence, transactional=True)


def committed(log):
    return [record.value for record in log.fetch("out", 0, 0, isolation="read_committed")]


@pytest.mark.parametrize("rules", [{"protocol": 2, "marker_rule": "kafka 4.1"}, {"protocol": 1}], ids=str)
def test_a_late_marker_of_an_equal_epoch_ends_the_next_transaction_for_good(rules):
    log, life, again = marked(**rules)
    begins(log, life, sequence=2 - rules["protocol"])  # in protocol 1 the epoch stays, and the numbers go on
    log.write_marker(*again)
    assert committed(log) == ["first", "second"]
    log.transactions.end("p", *again[2:4], "abort")
    log.write_due_markers()
    assert committed(log) == ["first", "second"], "its own producer aborted it"


def test_since_4_2_a_marker_has_to_be_newer_than_the_open_records():
    log, life, again = marked()
    assert again[3] == life[1], "the marker carries the epoch of the next transaction"
    begins(log, life)
    with pytest.raises(log_errors.InvalidProducerEpoch, match="it ends no transaction of that epoch"):
        log.write_marker(*again)
    log.transactions.end("p", *life, "abort")
    log.write_due_markers()
    assert committed(log) == ["first"]


def test_a_marker_of_an_equal_epoch_is_its_own_retry_where_nothing_is_open():
    """KAFKA-19999: accepted, and written again; a coordinator that lost the answer would ask for ever."""
    log, life, again = marked()
    end = log.log_end("out", 0)
    assert log.write_marker(*again).offset == end
    assert log.last_stable("out", 0) == log.log_end("out", 0) == end + 1
    begins(log, life)
    log.transactions.end("p", *life, "commit")
    log.write_due_markers()
    assert committed(log) == ["first", "second"]
