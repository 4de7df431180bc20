"""A run's log as stores over a broker: what is refused, who is fenced."""

import itertools
from types import SimpleNamespace

import pytest

from exactly_once.errors import BadInput
from exactly_once.log import log_errors as log_errors
from exactly_once.servers import new_name, opened
from exactly_once.stores import Blocked, Origin

TOPIC, OFFSETS_PARTITION = "__transaction_state", "__consumer_offsets-0"  # Kafka's own names
BEHIND = ((1, "seattle"),)  # the inputs behind each record


@pytest.fixture
def run(kafka):
    """Return the three stores of a run's log, and where they are."""
    where = f"{new_name()}_"
    stores = SimpleNamespace(
        where=where,
        url=kafka.url,
        **{name: opened(kafka.url, name, f"{where}{name}") for name in ("log", "offsets", "coordinator")},
    )
    stores.log.prepare("output", "create", {"brokers": 1})
    stores.coordinator.prepare(TOPIC, "begin_coordinating", {"protocol": 2})
    stores.offsets.prepare(OFFSETS_PARTITION, "begin_group", ["seattle"])
    yield stores
    for store in (stores.log, stores.offsets, stores.coordinator):
        store.remove()
        store.close()


def begin(run):
    """Begin an incarnation, as often as it takes until the last one's transaction is aborted; return its numbers."""
    while isinstance(found := run.coordinator.do(TOPIC, "init_producer", "me", 60_000, None, None).value, dict):
        assert found["error"] == "ConcurrentTransactions"
    return dict(zip(("producer", "producer_epoch"), found, strict=True))


def send(run, whom, value, sequence=0):
    """Send one record in a transaction; return the answer."""
    whose = *whom.values(), ["output", OFFSETS_PARTITION]
    run.coordinator.do(TOPIC, "add_partitions", "me", *whose)
    settings = {**whom, "sequence": sequence, "transactional": True}
    return run.log.do("output", "produce", [[None, value]], settings, origin=Origin(1, 1, 1, 0, BEHIND)).value


def end(run, whom, result):
    """Have the coordinator decide."""
    return run.coordinator.do(TOPIC, "end_transaction", "me", *whom.values(), result).value


def by_stamp(store):
    """Return the lines of a journal in the order of their stamps, which differ."""
    lines = sorted(store.journal(), key=lambda line: line.received)
    assert all(one.sent < two.received for one, two in itertools.pairwise(lines))
    assert {one.inputs for one in lines} <= {(), BEHIND}
    return lines


def test_what_is_committed_is_seen_with_its_offsets_and_nothing_else(run):
    for number, result in enumerate(("commit", "abort", "commit"), 1):
        whom = begin(run)
        assert "error" not in send(run, whom, f"value {number}")
        run.offsets.do(OFFSETS_PARTITION, "commit_offsets", "g", {"seattle": number}, whom)
        with pytest.raises(Blocked):
            run.offsets.do(OFFSETS_PARTITION, "committed_offsets", "g", ["seattle"])
        assert "error" not in end(run, whom, result)
    answer = run.log.do("output", "poll", 0, None, [], "read_committed").value
    assert [record[2] for record in answer["records"]] == ["value 1", "value 3"]
    assert [record[2] for record in run.log.look("output", "partition")] == ["value 1", "value 2", "value 3"]
    assert run.offsets.look(OFFSETS_PARTITION, "offsets") == {"g": {"seattle": 3}}
    for store in (run.log, run.offsets):
        other = opened(run.url, store.name, f"{run.where}{store.name}")
        assert by_stamp(other) == by_stamp(store), "each record has brought its line"
    assert run.offsets.do(OFFSETS_PARTITION, "committed_offsets", "g", ["seattle"]).value == {"seattle": 3}


def test_a_zombie_is_refused_in_the_courses_words(run):
    zombie = begin(run)
    assert "error" not in send(run, zombie, "of the zombie")
    whom = begin(run)
    assert send(run, zombie, "too late", 1)["error"] in ("ProducerFenced", "InvalidProducerEpoch")
    assert end(run, zombie, "commit")["error"] in ("ProducerFenced", "InvalidTxnState")
    assert "error" not in send(run, whom, "right")
    assert "error" not in end(run, whom, "commit")
    assert [record[2] for record in run.log.do("output", "poll", 0, None, [], "read_committed").value["records"]] == [
        "right"
    ]


def test_what_no_client_can_ask_for_is_refused_and_never_ignored(run):
    for store, part, asked in (
        (run.log, "output", ("marker", 0, 0, "commit", 0)),
        (run.log, "output", ("broker", "kill", [0])),
        (run.offsets, OFFSETS_PARTITION, ("offsets_marker", 0, 0, "commit", 0)),
        (run.coordinator, TOPIC, ("complete", "me", 0, 0, 0)),
        (run.log, "cell", ("write", 1)),
    ):
        before = store.journal()
        with pytest.raises(BadInput, match="real Kafka"):
            store.do(part, *asked)
        assert store.journal() == before


def test_a_partition_that_kafka_does_not_have_is_refused(run):
    for settings in ({"sequence_rule": "none"}, {"replication": "by hand"}):
        with pytest.raises(BadInput, match="has no partition with the settings"):
            run.log.prepare("other", "create", settings)
    with pytest.raises(log_errors.LogError, match="replication factor"):
        run.log.prepare("other", "create", {"brokers": 3})
