"""The trials of chapter 13: each is brought about on a real broker, and comes out as the chapter says."""

import pytest
from py4j.protocol import get_return_value

from exactly_once.errors import BadInput, CourseError
from exactly_once.log import errors
from exactly_once.log.kafka.java_producer import JavaProducer
from exactly_once.log.kafka.trials.by_client import CLIENTS, FENCED, LATE, epochs_of_clients, refusals_of_clients
from exactly_once.log.kafka.trials.diagnosis import diagnose
from exactly_once.log.kafka.trials.finds import DUPLICATE, bump_doubles, first_record_lost, restarted_window
from exactly_once.log.kafka.trials.hanging import hanging_transaction
from exactly_once.log.kafka.trials.rebalance import PER_MEMBER, PER_PARTITION, rebalance
from exactly_once.log.kafka.trials.steps import SOONER, table
from exactly_once.log.kafka.trials.unknown_commit import commit_times_out
from exactly_once.servers.kafka.broker import Kafka
from tests.servers.conftest import had

from .conftest import fresh_log


@pytest.fixture(scope="module")
def unverified():
    """Return the broker whose leaders do not ask the coordinator."""
    return had(Kafka, settings=SOONER)


@pytest.mark.parametrize(
    ("client", "lost"),
    [(client, lost) for client in ("librdkafka", "java") for lost in ("answer", "request")] + [("course", "answer")],
)
def test_a_commit_whose_outcome_is_unknown_is_called_again(client, lost, kafka):
    found = commit_times_out(client, lost, kafka)
    assert (found.first, found.abort, found.again, found.copies) == ("TimedOut", "IllegalState", "accepted", 1)
    assert found.decided in ({"answer": ("PrepareCommit", "CompleteCommit"), "request": ("Ongoing",)}[lost])
    assert repr(found).count(client) >= 4


def test_javas_errors_are_told_behind_pyspark_too(kafka, monkeypatch):
    """PySpark puts its own reading of Java's errors into py4j, and leaves it there when its Java is gone."""
    from pyspark.errors.exceptions.captured import install_exception_handler

    monkeypatch.setattr("py4j.java_gateway.get_return_value", get_return_value)
    install_exception_handler()
    with pytest.raises(errors.IllegalState):
        JavaProducer(kafka.where, "behind-pyspark").begin_transaction()


def test_another_client_or_loss_is_refused(kafka):
    for wrong in ({"client": "rust"}, {"lost": "nothing"}):
        with pytest.raises(BadInput):
            commit_times_out(kafka=kafka, **wrong)
    for wrong in ({"how": "slowly"}, {"producers": "none"}, {"metadata": "old"}, {"session_ms": 1}):
        with pytest.raises(BadInput):
            rebalance(kafka=kafka, **wrong)


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
    assert hung.topic in hung.find()
    after = hung.end()
    assert after["read_committed"] == ["other"]
    assert after["last stable offset"] == after["high watermark"] == before["high watermark"] + 1
    assert "Nobody holds" in repr(diagnose(hung.topic, 0, unverified))


def test_where_leaders_ask_the_coordinator_the_late_record_is_refused(kafka):
    found = hanging_transaction(kafka)
    assert not found.hangs
    assert found.sentence.endswith("nothing hangs.")
    assert found.offsets()["read_uncommitted"] == ["in time", "other"]
    assert found.offsets()["read_committed"] == ["other"]
    with pytest.raises(CourseError, match="Kafka's TransactionsCommand failed"):
        found.end()


def test_the_transaction_of_a_producer_that_lives_is_no_hanging_one(kafka):
    with fresh_log(kafka, 1) as log:
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
    with pytest.raises(BadInput, match=r"no session_ms of 2000: its group\.min\.session\.timeout\.ms is larger"):
        rebalance(kafka=kafka)


@pytest.mark.parametrize("producers", [PER_MEMBER, PER_PARTITION])
@pytest.mark.parametrize("how", ["in good order", "killed"])
def test_what_a_rebalance_costs(how, producers, unverified):
    found = rebalance(how, producers, kafka=unverified)
    assert found.copies == 1
    if how == "in good order":
        assert found.begins_at == 1
    else:
        assert found.begins_at == 0
        assert found.partitions > 1, "the session's time"
        by_time = found.readers > found.partitions + 1
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


def test_a_new_partition_takes_any_first_number_and_the_batch_before_it_is_lost(kafka):
    """Idempotence on, two batches in flight, and the first one has to be sent again (KAFKA-15591)."""
    found = first_record_lost(kafka)
    assert (found.heard, found.readable) == ("OutOfOrderSequence", ("B",))


@pytest.mark.slow
def test_javas_client_doubles_five_records_after_a_restart(kafka):
    found = bump_doubles(kafka)
    assert found.readable == tuple("01234512345")
    assert (found.acknowledged, found.doubled, set(found.epochs)) == (6, 5, {0, 1})


def test_javas_client_gets_a_new_epoch_after_each_commit_and_librdkafka_does_not(kafka):
    found = epochs_of_clients(2, kafka).epochs
    assert found["java"] == found["course, second version"] == (0, 1, 2)
    assert found["librdkafka"] == found["course, first version"] == (0, 0, 0)


def test_what_each_client_is_told_whose_transaction_was_ended(unverified):
    found = refusals_of_clients(unverified)
    assert {client: heard[FENCED] for client, heard in found.heard.items()} == dict.fromkeys(
        CLIENTS, "ProducerFenced"
    )
    assert [found.heard[client][LATE] for client in CLIENTS] == ["ProducerFenced"] * 2 + ["InvalidTxnState"] * 2
    assert found.sentence.startswith("librdkafka; course, first version: the same error")


def test_javas_producer_has_the_calls_and_the_errors_of_the_others(kafka):
    with fresh_log(kafka, 2) as log:
        log.create_topic("t")
        log.create_topic("in")
        old, new = (JavaProducer(kafka.where, f"{log.prefix}one") for _ in range(2))
        old.init_transactions()
        old.begin_transaction()
        assert old.send(f"{log.prefix}t-0", ["zombie", "too"]) == 0
        with pytest.raises(errors.IllegalState):
            old.init_transactions()
        new.init_transactions()
        with pytest.raises(errors.LogError) as why:
            old.commit_transaction()
        assert why.value.kafka in ("PRODUCER_FENCED", "INVALID_PRODUCER_EPOCH")
        new.begin_transaction()
        new.send(f"{log.prefix}t-0", ["new"])
        new.send_offsets_to_transaction({f"{log.prefix}in-0": 3}, f"{log.prefix}readers")
        new.commit_transaction()
        log.write_due_markers("one")
        assert [one.value for one in log.fetch("t", 0, 0, isolation="read_committed")] == ["new"]
        assert log.committed_offset("readers", "in", 0) == 3
        for each in (old, new):
            each.close()


def test_a_table_is_as_wide_as_its_cells():
    assert table(("a", "bc"), [(1, "long"), ("x", "")]) == "a  bc\n-------\n1  long\nx"
