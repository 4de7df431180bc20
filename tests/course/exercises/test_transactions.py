"""The exercises on transactions: what their solved cells say is what the course's own log and coordinator do."""

import pytest

from exactly_once.chapters.items import item
from exactly_once.exercises.kinds.mistakes import answer_with
from exactly_once.log import open_log
from exactly_once.log.broker.producer_state import Entry, Producers
from exactly_once.log.client.requests import draft
from exactly_once.log.log_errors import LogError
from exactly_once.log.storage.records import COMMIT, TRANSACTIONAL
from exactly_once.log.transactions import rules
from exactly_once.log.transactions.coordinator import Coordinator
from exactly_once.log.transactions.rules import Transaction

IDS = {"a": 71, "b": 72}
LOGS = [(log, high) for log, high in item("06b").cases() if log]
RECOVERED = item("06d").cases()


@pytest.mark.parametrize(("request_", "epoch", "known"), item("06a").cases)
def test_who_is_fenced_is_what_the_log_says(request_, epoch, known):
    said = "accept"
    try:
        if request_ == "add":
            kept = {} if known is None else {"id": Transaction("id", 7, known)}
            Coordinator(kept, lambda: 0).add_partitions("id", 7, epoch, ["output-0"])
        else:
            opened = 40 if request_ == "marker" else None
            leader = Producers({} if known is None else {7: Entry(known, opened=opened, window=((0, 0, 40),))})
            same = request_ == "append" and epoch == known
            kind = COMMIT if request_ == "marker" else TRANSACTIONAL
            leader.check(draft(kind, 1, 0, (7, epoch, int(same)), coordinator=0), 0, rules=2)
    except LogError as why:
        said = why.kafka
    assert answer_with("06a")(request_, epoch, known) == said


def written(log, entries, numbers):
    """Write the entries of an exercise to a log; `numbers` holds each producer's next sequence number."""
    for kind, producer, value in entries:
        if kind != "data":
            log.write_marker("t", 0, IDS[producer], 0, kind)
        elif producer is None:
            log.append("t", 0, [value], acks=1)
        else:
            log.append("t", 0, [value], 1, IDS[producer], 0, numbers[producer], transactional=True)
            numbers[producer] += 1


def assert_seen(log, entries, high):
    """Assert that the log shows what the solved cell says."""
    shown = [record.value for record in log.fetch("t", 0, 0, isolation="read_committed")]
    assert (log.last_stable("t", 0), shown) == answer_with("06b")(entries, high), entries


def test_what_is_visible_is_what_the_log_shows():
    for entries, high in LOGS:
        if high == len(entries):
            log = open_log()
            log.create_topic("t")
            written(log, entries, dict.fromkeys(IDS, 0))
            assert_seen(log, entries, high)


def test_what_is_visible_ends_at_the_high_watermark_as_in_the_log():
    for entries, high in LOGS[-300:]:
        log, numbers = open_log("memory:", 2, replication="manual"), dict.fromkeys(IDS, 0)
        log.create_topic("t", replicas=2)
        written(log, entries[:high], numbers)
        for _ in range(3):
            log.replicate("t", 0, 1 - log.leader("t", 0))
        written(log, entries[high:], numbers)
        assert log.high_watermark("t", 0) == high
        assert_seen(log, entries, high)


@pytest.mark.parametrize(
    ("records", "now"), RECOVERED, ids=lambda found: len(found) if isinstance(found, list) else ""
)
def test_a_coordinator_comes_up_as_the_courses_own_does(records, now):
    class Kept(dict):
        new_producer_id = iter(range(7, 100)).__next__

    kept = Kept({name: one for name, one in dict(records).items() if one is not None})
    coordinator = Coordinator(kept, lambda: now, 2)
    actions = [("record", name, rules.PREPARE_ABORT) for name in coordinator.time_out()]
    for due in coordinator.due():
        actions += [("marker", due.transactional_id, name, due.result) for name in due.partitions]
        actions.append(("record", due.transactional_id, rules.COMPLETE[due.result]))
    assert sorted(actions) == sorted(answer_with("06d")(records, now))


@pytest.mark.parametrize("name", ["06a", "06b", "06d", "06g"])
def test_what_is_shown_does_not_tell_what_is_right(name):
    assert item(name).show(...).html
    assert "right" not in str(item(name).show(lambda *arguments: "nothing")).lower()
