"""The exercises on transactions: their rules are the log's, and their searches are complete."""

import pytest

from exactly_once.course import exercises
from exactly_once.exercises.ch06 import e06a_fence as e06a
from exactly_once.exercises.ch06 import e06b_last_stable as e06b
from exactly_once.exercises.ch06 import e06d_recover as e06d
from exactly_once.exercises.ch06 import e06f_client as e06f
from exactly_once.exercises.ch06 import partition
from exactly_once.exercises.ch06.cluster import FAULTS, OF_NO_USE, OFFSETS, Fault, faults_of, hunted, played
from exactly_once.log import open_log
from exactly_once.log.broker.producer_state import Entry, Producers
from exactly_once.log.client.requests import draft
from exactly_once.log.errors import LogError
from exactly_once.log.storage.records import COMMIT, TRANSACTIONAL
from exactly_once.log.transactions import rules
from exactly_once.log.transactions.coordinator import Coordinator
from exactly_once.log.transactions.rules import Transaction
from tests.course.answers import answer_to, wrong_answers_to

IDS = {"a": 71, "b": 72}
EVERY = [log for log in partition.logs(4) if log]


def by_the_log(request, epoch, known):
    """What the course's own coordinator, or leader, does with a request."""
    try:
        if request == e06a.ADD:
            kept = {} if known is None else {"id": Transaction("id", 7, known)}
            Coordinator(kept, lambda: 0).add_partitions("id", 7, epoch, ["output-0"])
        else:
            opened = 40 if request == e06a.MARKER else None
            leader = Producers({} if known is None else {7: Entry(known, opened=opened, window=((0, 0, 40),))})
            same = request == e06a.APPEND and epoch == known
            kind = COMMIT if request == e06a.MARKER else TRANSACTIONAL
            leader.check(draft(kind, 1, 0, (7, epoch, int(same)), coordinator=0), 0, rules=2)
    except LogError as why:
        return why.kafka
    return e06a.ACCEPT


def test_who_is_fenced_is_what_the_log_says():
    assert [e06a.judged(*case) for case in e06a.CASES] == [by_the_log(*case) for case in e06a.CASES]
    assert {e06a.judged(*case) for case in e06a.CASES} == set(e06a.WORDS)


def written(log, entries, numbers):
    """Write the entries of an exercise to a log; `numbers` holds each producer's next sequence number."""
    for kind, producer, value in entries:
        if kind != partition.DATA:
            log.write_marker("t", 0, IDS[producer], 0, kind)
        elif producer is None:
            log.append("t", 0, [value], acks=1)
        else:
            log.append("t", 0, [value], 1, IDS[producer], 0, numbers[producer], transactional=True)
            numbers[producer] += 1


def seen_in(log):
    shown = log.fetch("t", 0, 0, isolation="read_committed")
    return log.last_stable("t", 0), [(record.offset, record.value) for record in shown]


def test_what_is_visible_is_what_the_log_shows():
    for entries in EVERY:
        log = open_log()
        log.create_topic("t")
        written(log, entries, dict.fromkeys(IDS, 0))
        end = len(entries)
        assert seen_in(log) == (partition.last_stable(entries, end), partition.visible(entries, end)), entries


@pytest.mark.parametrize("high", range(5))
def test_what_is_visible_ends_at_the_high_watermark_as_in_the_log(high):
    entries = e06b.EXAMPLE[0][:5]
    for chosen in [entries, *(log for log in EVERY[-60:] if len(log) >= high)]:
        log, numbers = open_log("memory:", 2, replication="manual"), dict.fromkeys(IDS, 0)
        log.create_topic("t", replicas=2)
        written(log, chosen[:high], numbers)
        for _ in range(3):
            log.replicate("t", 0, 1 - log.leader("t", 0))
        written(log, chosen[high:], numbers)
        assert log.high_watermark("t", 0) == high
        assert seen_in(log) == (partition.last_stable(chosen, high), partition.visible(chosen, high)), chosen


def test_what_is_shown_of_a_log_does_not_tell_what_is_right():
    assert "Right" not in str(exercises.open("06b").show(lambda log, high: (0, [])))
    assert "last stable offset" not in exercises.open("06b").show(...).html
    assert "Right" not in str(exercises.open("06d").show(lambda records, now: []))


@pytest.mark.parametrize("records", e06d.prefixes(), ids=len)
def test_a_coordinator_comes_up_as_the_courses_own_does(records):
    kept = e06d.Kept()
    for name, transaction in e06d.newest(records).items():
        kept[name] = transaction
    coordinator = Coordinator(kept, lambda: e06d.NOW, 2)
    actions = [("record", name, rules.PREPARE_ABORT) for name in coordinator.time_out()]
    for due in coordinator.due():
        actions += [("marker", due.transactional_id, name, due.result) for name in due.partitions]
        actions.append(("record", due.transactional_id, rules.COMPLETE[due.result]))
    assert sorted(actions) == sorted(e06d.right_actions(records))
    done = e06d.carried_out(records, e06d.right_actions(records))
    assert e06d.left(done[-1].records if done else records) is None


def test_every_state_of_a_coordinator_is_among_the_logs():
    states = {one.state for log in e06d.LOGS for _, one in log if one is not None}
    assert states == set(rules.STATES) - {rules.DEAD, rules.PREPARE_EPOCH_FENCE}
    assert any(one is None for log in e06d.LOGS for _, one in log)


def wrong_under(name, what):
    """Tell whether one fault of this kind, at some request, breaks a wrong answer."""
    program = answer_to("06f", name).value
    requests = range(1, len(played(program, e06f.RECORDS).verbs) + 1)
    return any(played(program, e06f.RECORDS, [Fault(at, what)]).sentence for at in requests)


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("dies before", "begins at zero"),
        ("dies after", "begins at zero"),
        ("request lost", "commits what it has not heard"),
        ("reply lost", "sends again"),
        ("late 1", "sends again"),
        ("late 3", "commits what it has not heard"),
        ("time-out", "takes what was aborted for done"),
        ("markers held", "stops at silence"),
        ("pause", "fences back"),
    ],
)
def test_each_kind_of_fault_breaks_something(what, name):
    assert wrong_under(name, what)


def test_a_right_program_stands_three_faults_too():
    program = answer_to("06f", "begins anew").value
    chosen = [Fault(2, "pause"), Fault(7, "dies after"), Fault(9, "reply lost")]
    assert played(program, e06f.RECORDS, chosen).sentence == ""


def test_a_paused_life_wakes_up_behind_its_successor():
    program = answer_to("06f", "begins anew").value
    found = played(program, e06f.RECORDS, [Fault(4, "pause")])
    lives = [event.life for event in found.events]
    assert lives.index(2) < len(lives) - 1 - lives[::-1].index(1)
    assert any("InvalidProducerEpoch" in event.answer for event in found.events if event.life == 1)
    assert found.seen == {"upper": ["TEA", "MILK"], "length": [3, 4], OFFSETS: [1, 2]}


def test_the_hunt_counts_every_single_fault():
    program = answer_to("06f", "begins anew").value
    tried = faults_of(played(program, e06f.RECORDS))
    assert hunted(program, ((e06f.RECORDS, 1),)) == (None, 1 + len(tried))
    assert {fault.what for (fault,) in tried} == set(FAULTS)


@pytest.mark.parametrize("name", ["06a", "06b", "06d", "06f"])
def test_what_is_shown_without_an_answer_is_a_picture(name):
    assert exercises.open(name).show(...).html


@pytest.mark.parametrize("answer", wrong_answers_to("06f"), ids=lambda answer: answer.id)
def test_what_is_left_out_of_the_hunt_breaks_nothing_that_is_not_found(answer):
    program = answer.value
    verbs = played(program, e06f.RECORDS).verbs
    left_out = [Fault(at, what) for at, verb in enumerate(verbs, 1) for what in OF_NO_USE.get(verb, ())]
    if any(played(program, e06f.RECORDS, [fault]).sentence for fault in left_out):
        assert hunted(program, ((e06f.RECORDS, 1),))[0] is not None


def test_a_run_is_drawn_with_a_column_for_each_life():
    reply = exercises.open("06f").check(answer_to("06f", "fences back").value)
    assert '<th scope="col">incarnation 2</th>' in reply.picture.html
    assert "meanwhile another one runs" in reply.picture.html
