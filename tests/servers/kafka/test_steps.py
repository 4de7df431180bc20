"""A run's log as stores over a broker: what is refused, who is fenced, and what a killed process leaves behind."""

import secrets
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from exactly_once.errors import BadInput, OutcomeUnknown
from exactly_once.log import errors
from exactly_once.log.kafka.log import KafkaLog, Where
from exactly_once.log.kafka.steps import opened
from exactly_once.log.kafka.store import KafkaStore
from exactly_once.log.kafka.trials.proxy import PRODUCE, Proxy
from exactly_once.log.machine import refused
from exactly_once.log.transactions.machine import COORDINATOR_PART, OFFSETS_PART
from exactly_once.stores import Blocked, Origin

DIES_BEFORE_THE_LINE = """
import os, signal, sys
from exactly_once.log.kafka.steps import opened
from exactly_once.stores import Origin
store = opened(sys.argv[1], "log", sys.argv[2])
told = store._told
def dies(what, *more, **other):
    if what == "record":
        os.kill(os.getpid(), signal.SIGKILL)
    return told(what, *more, **other)
store._told = dies
store.do("output", "produce", [[None, "kept"], [None, "too"]], {}, origin=Origin(1, 2, 3, 40, ((7, "seattle"),)))
"""


def placed():
    """Return the beginning of the names of a run's topics."""
    return f"test_{secrets.token_hex(4)}_"


@pytest.fixture(params=[1, 2], ids=["protocol-1", "protocol-2"])
def run(request, kafka):
    """Return the three stores of a run's log, and where they are."""
    where = placed()
    stores = SimpleNamespace(
        where=where,
        url=kafka.url,
        **{name: opened(kafka.url, name, f"{where}{name}") for name in ("log", "offsets", "coordinator")},
    )
    stores.log.prepare("output", "create", {"brokers": 1})
    stores.coordinator.prepare(COORDINATOR_PART, "begin_coordinating", {"protocol": request.param})
    stores.offsets.prepare(OFFSETS_PART, "begin_group", ["seattle"])
    yield stores
    for store in (stores.log, stores.offsets, stores.coordinator):
        store.remove()
        store.close()


def begin(run):
    """Begin an incarnation, as often as it takes until the last one's transaction is aborted; return its numbers."""
    while isinstance(
        found := run.coordinator.do(COORDINATOR_PART, "init_producer", "me", 60_000, None, None).value, dict
    ):
        assert found["error"] == "ConcurrentTransactions"
    return dict(zip(("producer", "producer_epoch"), found, strict=True))


def send(run, whom, value, sequence=0):
    """Send one record in a transaction; return the answer."""
    whose = *whom.values(), ["output", OFFSETS_PART]
    run.coordinator.do(COORDINATOR_PART, "add_partitions", "me", *whose)
    settings = {**whom, "sequence": sequence, "transactional": True}
    return run.log.do("output", "produce", [[None, value]], settings, origin=Origin(1, 1, 1)).value


def end(run, whom, result):
    """Have the coordinator decide."""
    return run.coordinator.do(COORDINATOR_PART, "end_transaction", "me", *whom.values(), result).value


def test_what_is_committed_is_seen_with_its_offsets_and_nothing_else(run):
    for number, result in enumerate(("commit", "abort", "commit"), 1):
        whom = begin(run)
        assert "error" not in send(run, whom, f"value {number}")
        run.offsets.do(OFFSETS_PART, "commit_offsets", "g", {"seattle": number}, whom)
        with pytest.raises(Blocked):
            run.offsets.do(OFFSETS_PART, "committed_offsets", "g", ["seattle"])
        refused(end(run, whom, result))
    answer = run.log.do("output", "poll", 0, None, [], "read_committed").value
    assert [record[2] for record in answer["records"]] == ["value 1", "value 3"]
    assert [record[2] for record in run.log.look("output", "partition")] == ["value 1", "value 2", "value 3"]
    assert run.offsets.look(OFFSETS_PART, "offsets") == {"g": {"seattle": 3}}
    assert run.offsets.do(OFFSETS_PART, "committed_offsets", "g", ["seattle"]).value == {"seattle": 3}


def test_a_zombie_is_refused_in_the_courses_words(run):
    zombie = begin(run)
    assert "error" not in send(run, zombie, "of the zombie")
    whom = begin(run)
    with pytest.raises((errors.ProducerFenced, errors.InvalidProducerEpoch)) as why:
        refused(send(run, zombie, "too late", 1))
    assert why.value.fatal
    with pytest.raises((errors.ProducerFenced, errors.InvalidTxnState)):
        refused(end(run, zombie, "commit"))
    assert "error" not in send(run, whom, "right")
    refused(end(run, whom, "commit"))
    assert [record[2] for record in run.log.do("output", "poll", 0, None, [], "read_committed").value["records"]] == [
        "right"
    ]


def test_a_request_that_comes_late_may_come_from_another_process(run):
    whom = begin(run)
    run.log.log.names.clear()  # as in a process that began no producer
    assert "error" not in send(run, whom, "late")
    refused(end(run, whom, "commit"))
    assert [record[2] for record in run.log.do("output", "poll", 0, None, [], "read_committed").value["records"]] == [
        "late"
    ]


@pytest.mark.parametrize(
    ("store", "part", "asked"),
    [
        ("log", "output", ("marker", 0, 0, "commit", 0)),
        ("log", "output", ("broker", "kill", [0])),
        ("offsets", OFFSETS_PART, ("offsets_marker", 0, 0, "commit", 0)),
        ("coordinator", COORDINATOR_PART, ("complete", "me", 0, 0, 0)),
        ("log", "cell", ("write", 1)),
    ],
)
def test_what_no_client_can_ask_for_is_refused_and_never_ignored(run, store, part, asked):
    before = getattr(run, store).journal()
    with pytest.raises(BadInput, match="real Kafka"):
        getattr(run, store).do(part, *asked)
    assert getattr(run, store).journal() == before


def test_a_partition_that_kafka_does_not_have_is_refused(run):
    for settings in ({"sequence_rule": "none"}, {"replication": "by hand"}):
        with pytest.raises(BadInput, match="has no partition with the settings"):
            run.log.prepare("other", "create", settings)
    with pytest.raises(errors.LogError, match="replication factor"):
        run.log.prepare("other", "create", {"brokers": 3})


def test_the_line_of_a_killed_process_is_written_by_who_reads_its_record(run):
    command = [sys.executable, "-c", DIES_BEFORE_THE_LINE, run.url, f"{run.where}log"]
    assert subprocess.run(command).returncode == -signal.SIGKILL
    read = run.log.do("output", "poll", 0, 1, [1]).value
    assert read["records"] == [[0, None, "kept", 3]]
    first, poll = [(entry.verb, entry.value, entry.life, entry.inputs) for entry in run.log.journal()[:2]]
    assert first == (
        "produce",
        {"offset": 0, "duplicate": False, "acknowledged": True, "values": ["kept"]},
        1,
        ((7, "seattle"),),
    )
    assert poll[:2] == ("poll", None)
    assert [entry.value["values"] for entry in run.log.journal() if entry.verb == "produce"] == [["kept"], ["too"]]
    stamps = [entry.received for entry in run.log.journal()]
    assert stamps == sorted(set(stamps))
    assert stamps[0] > 40


def test_an_operation_that_another_one_made_impossible_is_refused_where_it_stands(kafka):
    where = placed()
    one, other = (KafkaStore(kafka.url, "engine", f"{where}engine") for _ in range(2))
    one.do("inbox", "put", 1, "message")
    told = one._told

    def late(*record, **more):
        assert other.do("inbox", "take", None).value == [1, "message"]
        return told(*record, **more)

    one._told = late
    with pytest.raises(Blocked):
        one.do("inbox", "take", None)
    assert one.journal() == other.journal()
    assert [entry.verb for entry in one.journal()] == ["put", "take"]
    one.remove()
    one.close()


def test_an_answer_that_is_lost_leaves_the_outcome_unknown(kafka):
    proxy, where = Proxy(kafka.where), placed()
    near, far = (KafkaStore(kafka.url, "engine", f"{where}engine") for _ in range(2))
    try:
        far.log = KafkaLog(proxy.where, prefix=where)
        far.do("counter", "add", 1)
        proxy.lose(PRODUCE, once=True)
        with pytest.raises(OutcomeUnknown, match="No answer to Produce"):
            far.do("counter", "add", 1)
        assert proxy.happened.is_set()
        assert near.look("counter", "table") == far.look("counter", "table") == 2
        near.remove()
    finally:
        proxy.close()


def test_the_url_of_the_courses_own_cluster_leads_to_its_secret(kafka):
    assert Where.parse(kafka.url) == kafka.where
    assert kafka.secret not in kafka.url
