"""What a broker makes of a producer's numbers, rule by rule: Kafka's, the one before KIP-360, the article's, none."""

import pytest

from exactly_once.log import open_log
from exactly_once.log.log_errors import DuplicateSequence, OutOfOrderSequence, UnknownProducerId


def topic_with(rule, **settings):
    log = open_log("memory:")
    log.create_topic("t", sequence_rule=rule, **settings)
    return log


def send(log, sequence, *values, producer=7, epoch=0):
    return log.append("t", 0, values, producer=producer, producer_epoch=epoch, sequence=sequence)


def values(log):
    return [record.value for record in log.fetch("t", 0, log.log_start("t", 0))]


def test_without_a_rule_every_number_is_taken_each_time():
    log = topic_with("none")
    for sequence in (0, 0, 9):
        send(log, sequence, "a")
    assert values(log) == ["a", "a", "a"]


def test_the_article_takes_the_next_number_alone_and_tells_a_duplicate_from_a_gap():
    log = topic_with("article")
    send(log, 0, "a")
    with pytest.raises(OutOfOrderSequence, match="1 is the next one"):
        send(log, 2, "c")
    send(log, 1, "b")
    send(log, 2, "c")
    for sequence in (0, 2):
        with pytest.raises(DuplicateSequence, match="up to 2 are here already"):
            send(log, sequence, "?")
    assert values(log) == ["a", "b", "c"]


@pytest.mark.parametrize(("rule", "taken"), [("kafka", True), ("kafka 2.4", False)])
def test_a_producer_whose_records_were_deleted_is_remembered_since_kip_360(rule, taken):
    log = topic_with(rule, segment_bytes=1)
    send(log, 0, "a")
    log.delete_records("t", 0, 1)
    if taken:
        send(log, 1, "b")
        assert send(log, 0, "?").duplicate
    else:
        with pytest.raises(UnknownProducerId, match="has to begin with 0"):
            send(log, 1, "b")
        send(log, 0, "a")  # what made it unsafe: a late retry is taken for a first record
        assert values(log) == ["a"]


def test_since_4_5_only_a_partition_that_once_held_a_record_takes_any_first_number():
    log = topic_with("kafka 4.5", segment_bytes=1)
    with pytest.raises(OutOfOrderSequence, match="never held a record"):
        send(log, 1, "b")
    send(log, 0, "a")
    send(log, 1, "b")
    assert send(log, 0, "?").duplicate
    log.delete_records("t", 0, 2)  # the emptied partition has held records
    send(log, 5, "c", producer=8)
    assert values(log.reopened()) == ["c"]
