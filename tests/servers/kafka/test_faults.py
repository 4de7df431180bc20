"""What only a real broker shows: it dies, answers get lost, and a transaction has the outcome that Kafka says."""

import time

import pytest

from exactly_once.chapters.ch13.trials.proxy import END_TXN, LOST_ONCE, PRODUCE, Proxy
from exactly_once.errors import OutcomeUnknown
from exactly_once.log import log_errors as log_errors
from exactly_once.log.kafka.kafka_log import KafkaLog
from exactly_once.servers import LibrdkafkaProducer
from exactly_once.servers.kafka import Kafka
from tests.servers.conftest import had

from .conftest import fresh_log, skipped_markers

pytestmark = pytest.mark.not_by_day


def values(log, isolation="read_committed"):
    """Return what a reader sees of the topic t."""
    return [record.value for record in log.fetch("t", 0, 0, isolation=isolation)]


def come(log, expected, seconds=30):
    """Wait until a read_committed reader sees these values: a broker that has started finds its high watermark."""
    deadline = time.monotonic() + seconds
    while (seen := values(log)) != expected and time.monotonic() < deadline:
        time.sleep(0.01)
    return seen == expected


@pytest.mark.some(day=0, ci=2)
@pytest.mark.parametrize("client", ["course", "librdkafka"])
def test_a_broker_dies_with_a_transaction_open_and_the_producer_goes_on(client, kafka, log):
    log.create_topic("t")
    if client == "course":
        producer, partition = log.transactional_producer("survivor"), "t-0"
    else:
        name = f"{log.prefix}survivor"
        producer, partition = LibrdkafkaProducer(kafka.where, name), f"{log.prefix}t-0"
    producer.init_transactions()
    producer.begin_transaction()
    producer.send(partition, ["before"])
    kafka.kill()
    kafka.start()
    log.hang_up()
    assert log.transactions.describe("survivor").state == "Ongoing"
    assert (values(log), values(log, "read_uncommitted")) == ([], ["before"])
    producer.send(partition, ["after"])
    producer.commit_transaction()
    log.write_due_markers("survivor")
    assert come(log, ["before", "after"])


@pytest.mark.some(day=0, ci=1)
def test_broker_and_producer_die_and_the_next_incarnation_aborts(kafka, log):
    log.create_topic("t")
    log.create_topic("in")
    producer = log.transactional_producer("mortal")
    producer.init_transactions()
    producer.begin_transaction()
    producer.send("t-0", ["lost"])
    producer.send_offsets_to_transaction({"in-0": 5}, "readers")
    kafka.kill()
    kafka.start()
    with KafkaLog(kafka.where, log.prefix) as log:
        log.append("t", 0, ["of somebody else"])
        assert values(log) == [], "the open transaction holds the last stable offset"
        with pytest.raises(log_errors.UnstableOffsetCommit):
            log.committed_offset("readers", "in", 0, require_stable=True)
        log.transactional_producer("mortal").init_transactions()
        assert come(log, ["of somebody else"])
        assert log.committed_offset("readers", "in", 0, require_stable=True) is None


def write_marker(log, name, partition=0, rules=2):
    """Write the commit marker of an id in a partition, as an operator does; `rules` is the version that it speaks."""
    said = log.transactions.describe(name)
    assert said.state == "CompleteCommit", "else it could be another decision"
    log.write_marker("t", partition, said.producer, said.epoch, "commit", rules=rules)


def test_decided_and_killed_the_commit_is_finished(kafka, log):
    """A broker that starts again leads nothing for a moment: its coordinator may skip a marker, as seen below."""
    log.create_topic("t")
    producer = log.transactional_producer("decided")
    producer.init_transactions()
    producer.begin_transaction()
    producer.send("t-0", ["kept"])
    log.transactions.end("decided", producer.producer, producer.epoch, "commit")
    kafka.kill()
    kafka.start()
    log.hang_up()
    log.write_due_markers("decided")
    assert log.transactions.describe("decided").state == "CompleteCommit"
    if skipped_markers(kafka, f"{log.prefix}t-0") and not come(log, ["kept"], 2):
        write_marker(log, "decided")
    assert come(log, ["kept"])


@pytest.fixture(scope="module")
def three():
    brokers = had(Kafka, nodes=3)
    yield brokers
    brokers.stop()


@pytest.mark.slow
def test_three_nodes_go_on_without_the_leader(three):
    with fresh_log(three) as log:
        log.create_topic("t", replicas=3, min_insync_replicas=2)
        log.append("t", 0, [1])
        leader = f"broker-{log.leader('t', 0)}"
        three.kill(leader)
        log.hang_up()
        log.append("t", 0, [2])
        assert values(log) == [1, 2]
        three.start(leader)


@pytest.mark.slow
def test_a_marker_for_a_partition_without_a_leader_is_skipped_and_the_commit_is_not_seen(three):
    """KAFKA-20734, in 4.3.1: the coordinator takes such a partition for a deleted one, and says CompleteCommit."""
    with fresh_log(three) as log:
        log.create_topic("t", 3)
        producer = log.transactional_producer("forgotten")
        producer.init_transactions()
        said = three.tool("TransactionsCommand", "describe", "--transactional-id", f"{log.prefix}forgotten")
        leaders = {number: f"broker-{log.leader('t', number)}" for number in range(3)}
        coordinator = f"broker-{said.splitlines()[1].split()[0]}"
        partition, leader = next(one for one in leaders.items() if one[1] != coordinator)
        producer.begin_transaction()
        producer.send(f"t-{partition}", ["kept"])
        three.kill(leader)
        while log.leader("t", partition) is not None:
            time.sleep(0.01)
        producer.commit_transaction()
        assert skipped_markers(three, f"{log.prefix}t-{partition}")
        three.start(leader)
        log.hang_up()
        assert log.transactions.describe("forgotten").state == "CompleteCommit"
        while log.leader("t", partition) is None:
            time.sleep(0.01)
        log.append("t", partition, ["of somebody else"])
        assert list(log.fetch("t", partition, 0, isolation="read_committed")) == []
        assert log.last_stable("t", partition) == 0 < log.high_watermark("t", partition)
        write_marker(log, "forgotten", partition)
        seen = log.fetch("t", partition, 0, isolation="read_committed")
        assert [record.value for record in seen] == ["kept", "of somebody else"]


@pytest.mark.some(day=0, ci=2)
@pytest.mark.parametrize("result", ["commit", "abort"])
def test_an_end_whose_answer_is_lost_is_found_out_afterwards(result, kafka, log):
    with Proxy(kafka.where) as proxy, KafkaLog(proxy.where, log.prefix) as far:
        log.create_topic("t")
        producer, epoch = far.transactions.init_producer("lost")
        far.append("t", 0, ["value"], "all", producer, epoch, 0, transactional=True)
        proxy.faults[END_TXN] = LOST_ONCE
        with pytest.raises(OutcomeUnknown, match="No answer to EndTxn"):
            far.transactions.end("lost", producer, epoch, result)
        assert proxy.happened.is_set()
        log.write_due_markers("lost")
        decided = log.transactions.describe("lost")
        assert decided.state == {"commit": "CompleteCommit", "abort": "CompleteAbort"}[result]
        after = far.transactions.end("lost", producer, epoch, result)
        assert after == (producer, epoch + 1), "the same request again is the same decision"
        other = {"commit": "abort", "abort": "commit"}[result]
        with pytest.raises((log_errors.InvalidTxnState, log_errors.ProducerFenced)):
            far.transactions.end("lost", producer, epoch, other)
        assert values(log) == {"commit": ["value"], "abort": []}[result]


def test_a_producer_repeats_what_was_lost_and_nothing_is_there_twice(kafka, log):
    with Proxy(kafka.where) as proxy, KafkaLog(proxy.where, log.prefix) as far:
        log.create_topic("t")
        producer = far.transactional_producer("repeating")
        producer.init_transactions()
        for number, lost in enumerate((PRODUCE, END_TXN, None)):
            proxy.happened.clear()
            if lost is not None:
                proxy.faults[lost] = LOST_ONCE
            producer.begin_transaction()
            producer.send("t-0", [number])
            producer.commit_transaction()
            assert proxy.happened.is_set() == (lost is not None)
        assert values(log) == values(log, "read_uncommitted") == [0, 1, 2]
