"""The trials of chapter 13: each is brought about on a real broker, and comes out as the chapter says."""

import pytest

from exactly_once.errors import CourseError
from exactly_once.servers import commit_times_out, diagnose, hanging_transaction, rebalance, restarted_window
from exactly_once.servers.kafka import Kafka
from exactly_once.widgets import scene
from tests.servers.conftest import had

from .conftest import fresh_log

SOONER = (
    "transaction.partition.verification.enable=false",
    "transaction.abort.timed.out.transaction.cleanup.interval.ms=200",
    "group.min.session.timeout.ms=500",
)
PER_MEMBER, PER_PARTITION = "one producer per member", "one producer per partition"
DUPLICATE = "accepted as a duplicate"
RECORDING = scene("13").model.scene


@pytest.fixture(scope="module")
def unverified():
    """Return the broker whose leaders do not ask the coordinator."""
    return had(Kafka, settings=SOONER)


def test_a_commit_whose_outcome_is_unknown_is_called_again(kafka):
    found = commit_times_out(kafka)
    assert (found.first, found.abort, found.again, found.copies) == ("TimedOut", "IllegalState", "accepted", 1)
    assert found.decided in ("PrepareCommit", "CompleteCommit")
    assert "The client is librdkafka" in repr(found)


@pytest.mark.slow  # chapter 13 finds and ends one, too
def test_a_hanging_transaction_is_found_diagnosed_and_ended(unverified):
    hung = hanging_transaction(unverified)
    assert hung.hangs
    before = hung.offsets()
    assert before == {
        "last stable offset": hung.start, "high watermark": hung.start + 2,
        "read_uncommitted": ["in time", "late", "other"], "read_committed": [],
    }  # fmt: skip
    found = diagnose(hung.topic, 0, unverified)
    assert [one.start for one in found.holders] == [one.start for one in found.hanging] == [hung.start]
    assert f"abort --topic {hung.topic} --partition 0 --start-offset {hung.start}" in repr(found)
    after = hung.end()
    assert after["read_committed"] == ["other"]
    assert after["last stable offset"] == after["high watermark"] == before["high watermark"] + 1
    assert "Nobody holds" in repr(diagnose(hung.topic, 0, unverified))


@pytest.mark.not_by_day
def test_where_leaders_ask_the_coordinator_the_late_record_is_refused(kafka):
    found = hanging_transaction(kafka)
    assert not found.hangs
    assert found.sentence.endswith("nothing hangs.")
    assert found.offsets()["read_uncommitted"] == ["in time", "other"]
    assert found.offsets()["read_committed"] == ["other"]
    with pytest.raises(CourseError, match="Kafka's TransactionsCommand failed"):
        found.end()


@pytest.mark.not_by_day
def test_the_transaction_of_a_producer_that_lives_is_no_hanging_one(kafka):
    with fresh_log(kafka) as log:
        log.create_topic("t")
        producer = log.transactional_producer("alive")
        producer.init_transactions()
        producer.begin_transaction()
        producer.send("t-0", ["open"])
        found = diagnose(f"{log.prefix}t", 0, kafka)
        (holder,) = found.holders
        assert (holder.transactional_id, holder.state, holder.start) == (f"{log.prefix}alive", "Ongoing", 0)
        assert (found.hanging, found.command) == ((), "")
        assert "time limit" in repr(found)
        producer.commit_transaction()


@pytest.mark.slow
def test_a_broker_that_takes_no_such_session_is_named(kafka):
    with pytest.raises(CourseError, match=r"A member of the group failed: .*session timeout"):
        rebalance(kafka=kafka)


@pytest.mark.slow
@pytest.mark.parametrize(("producers", "transaction_ms"), [(PER_MEMBER, 5_000), (PER_PARTITION, 30_000)])
def test_what_a_rebalance_costs(producers, transaction_ms, unverified):
    found = rebalance("killed", producers, transaction_ms=transaction_ms, kafka=unverified)
    assert (found.copies, found.begins_at) == (1, 0)
    assert found.partitions > 1, "the session's time"
    by_time = found.readers > transaction_ms / 1000 - 1
    assert by_time == (producers == PER_MEMBER), "only a new owner of its id ends the transaction before its time"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("producers", "metadata", "heard", "copies"),
    [
        (PER_MEMBER, "of the poll", "UnknownMemberId", 1),
        (PER_MEMBER, "asked anew", "accepted", 2),
        (PER_PARTITION, "of the poll", "ProducerFenced", 1),
        (PER_PARTITION, "asked anew", "ProducerFenced", 1),
    ],
)
def test_who_was_replaced_is_fenced_by_what_it_read_with(producers, metadata, heard, copies, unverified):
    found = rebalance("stopped", producers, metadata, kafka=unverified)
    assert (found.heard, found.copies, found.begins_at) == (heard, copies, 0)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["killed", "in good order"])
def test_a_restart_shrinks_the_window_of_five_to_one(how, kafka):
    found = restarted_window(how, kafka)
    assert found.before == (DUPLICATE,) * 5
    assert found.after == ("OutOfOrderSequence",) * 4 + (DUPLICATE,)


@pytest.mark.slow
@pytest.mark.parametrize("stop", RECORDING.choices["stop"].values)
@pytest.mark.parametrize("call", RECORDING.choices["call"].values)
def test_a_real_broker_does_what_was_recorded(kafka, stop, call):
    chosen = {"stop": stop, "call": call}
    assert RECORDING.again(kafka, chosen) == RECORDING.steps(chosen)
