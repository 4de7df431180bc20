"""Bad input: each refused where it was made, with the value and what would do."""

import pytest

from exactly_once.errors import BadInput, CourseError
from exactly_once.log import Consumer, Producer, log_errors, open_log, partition_for

UNKNOWN, TOO_LARGE = log_errors.UnknownTopicOrPartition, log_errors.RecordTooLarge


def end_by_the_first(log):
    """Let the first of two incarnations ask for the end of a transaction."""
    first = log.transactions.init_producer("tx", 60_000)
    log.transactions.init_producer("tx", 60_000)
    log.transactions.end("tx", *first, "commit")


WITH_LOG = [
    (lambda log: log.append("u", 0, ["a"]), UNKNOWN, "no topic 'u'; there are: keyed, t"),
    (lambda log: log.append("t", 2, ["a"]), UNKNOWN, "'t' has no partition 2; it has 0 to 1"),
    (lambda log: log.commit("g", {("t", 7): 1}), UNKNOWN, "no partition 7"),
    (lambda log: log.fetch("t", 0, 1), log_errors.OffsetOutOfRange, "Offset 1 of t-0 does not exist; this log has"),
    (lambda log: log.append("t", 0, []), BadInput, "The list of records is empty"),
    (lambda log: log.append("t", 0, ["x" * 200]), TOO_LARGE, "Record 0 has 200 bytes; 't' takes at most 100"),
    (lambda log: log.append("t", 0, ["a"], producer=1), BadInput, "give all or none"),
    (lambda log: log.append("t", 0, ["a"], "all", 2**63, 0, 0), BadInput, "The producer id is 9223372036854775808"),
    (lambda log: log.append("t", 0, ["a"], "all", 7, 0, -1), log_errors.InvalidRecord, "-1"),
    (lambda log: log.append("t", 0, ["a"], transactional=True), BadInput, "A transactional append needs"),
    (
        lambda log: log.append("keyed", 0, ["a"]),
        log_errors.InvalidRecord,
        "A record without a key cannot go to 'keyed'",
    ),
    (lambda log: log.append("t", 0, ["\ud800"]), BadInput, "half a character is no UTF-8"),
    (lambda log: Producer(log).again(), BadInput, "Nothing was sent yet"),
    (lambda log: Consumer(log, "t").seek(4, 0), BadInput, "The partition is 4; it can be 0, 1"),
    (lambda log: Consumer(log, "t").commit(), BadInput, "has no group to commit for"),
    (lambda log: log.commit("g", {("t", 0): 1}, 0, 2**15), BadInput, "32768"),
    (lambda log: log.create_topic("t"), log_errors.TopicExists, "'t' is there already"),
    (lambda log: log.create_topic("t", exist_ok=True), log_errors.TopicExists, "with other settings"),
    (lambda log: log.create_topic("a b"), BadInput, "cannot be named 'a b'"),
    (lambda log: log.create_topic("u", replicas=4), BadInput, "4 replicas need as many brokers, and there are 3"),
    (lambda log: log.create_topic("u", min_insync_replicas=2), BadInput, "min_insync_replicas is 2"),
    (lambda log: (log.kill(2), log.bounce(2)), BadInput, "Broker 2 is dead"),
    (lambda log: log.shrink_isr("t", 0, 0), BadInput, "Broker 0 is no in-sync follower of t-0"),
    (lambda log: log.transactions.init_producer("tx", 60_000, 1), BadInput, "epoch"),
    (lambda log: log.transactions.init_producer("tx", 900_001), log_errors.InvalidTransactionTimeout, "900001"),
    (lambda log: log.transactions.init_producer("", 60_000), BadInput, "The transactional id is ''; give it a name"),
    (lambda log: log.transactions.init_producer(5, 60_000), BadInput, "The transactional id is 5; give it a name"),
    (lambda log: end_by_the_first(log), log_errors.ProducerFenced, "is not the last one .* a newer instance"),
    (lambda log: log.transactions.end("tx", 0, 0, "commit"), log_errors.InvalidPidMapping, "tx"),
    (lambda log: log.transactions.describe("tx"), log_errors.TransactionalIdNotFound, "tx"),
    (lambda log: log.abort_hanging("t", 0, 0), BadInput, "No open transaction of t-0 began at offset 0; there: none"),
]
WITHOUT = [
    (lambda at: open_log(at).dump(), BadInput, "Copy its folder"),
    (lambda _: partition_for(None, 3), BadInput, "A record without a key has no partition of its own"),
]


def test_what_makes_no_sense_is_refused_with_the_value_and_a_remedy(clock, tmp_path):
    for ask, error, said in WITH_LOG:
        log = open_log("memory:", 3, clock=clock)
        log.create_topic("t", 2, replicas=2, max_record_bytes=100)
        log.create_topic("keyed", compact=True)
        with pytest.raises(error, match=said):
            assert ask(log) is None, f"not refused: {said}"
        assert log.log_end("t", 0) == log.log_end("keyed", 0) == 0
    for ask, error, said in WITHOUT:
        with pytest.raises(error, match=said):
            assert ask(tmp_path / "log") is None, f"not refused: {said}"


def test_what_cannot_be_used_any_more_or_made_is_named(tmp_path):
    with open_log(tmp_path / "log") as log:
        log.create_topic("t")
    with pytest.raises(CourseError, match=r"on a closed database\. Open the log again\."):
        log.append("t", 0, ["a"])
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CourseError, match=r"file/log cannot be made \(Not a directory\); name a folder"):
        open_log(f"sqlite:{tmp_path / 'file' / 'log'}")
