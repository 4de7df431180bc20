"""The exercises on the broker's side of the idempotent producer: rules as the log has them, and a search of all."""

from itertools import product

import pytest

from exactly_once.course import exercises
from exactly_once.exercises.ch05 import e05a_audit as e05a
from exactly_once.exercises.ch05 import e05b_repair as e05b
from exactly_once.exercises.ch05 import e05c_refused as e05c
from exactly_once.exercises.ch05.hostile import Died, Disk, Hostile, world
from exactly_once.exercises.ch05.wire import AFTER, CONNECTION, MISHAPS
from exactly_once.explore.plain import Broken, carried_out, explore
from exactly_once.log.broker.producer_state import Producers
from exactly_once.log.client.requests import draft
from exactly_once.log.errors import InvalidProducerEpoch, OutOfOrderSequence
from exactly_once.log.storage.records import NOBODY, PLAIN
from tests.course.answers import answer_to


def by_the_log(headers):
    """Return the offset of the first batch that the course's own broker would not have appended, or None."""
    known = Producers()
    for offset, producer, epoch, first, count in headers:
        batch = draft(PLAIN, count, 0, (NOBODY if producer is None else producer, epoch, first))
        try:
            if known.check(batch, 0) is not None:
                return offset
        except (OutOfOrderSequence, InvalidProducerEpoch):
            return offset
        known.note(batch._replace(base=offset))
    return None


def test_the_rule_to_accept_is_that_of_the_log():
    assert [e05a.audited(*case) for case in e05a.CASES] == [by_the_log(*case) for case in e05a.CASES]
    assert {e05a.audited(*case) is None for case in e05a.CASES} == {True, False}


def test_an_objection_says_what_follows_and_what_does_not():
    assert "After 2147483647 comes 0." in e05a.objection(*e05a.CASES[15], 101)
    assert "an earlier batch does not follow" in e05a.objection(*e05a.EXAMPLE, 108)
    assert "may have been deleted" in e05a.objection(*e05a.CASES[0], 100)
    assert "return the offset of a batch" in e05a.objection(*e05a.CASES[0], "none")


def test_java_doubles_or_times_out_as_answers_behind_were_heard_or_not():
    ends = {mishap: (e05c.logged(burst := e05c.run(mishap)), burst.expired) for mishap in product(MISHAPS, "abcdef")}
    doubled = {batch: ("abcdef" + "abcdef"["abcdef".index(batch) :], False) for batch in "bcde"}
    assert ends == {
        (what, batch): doubled.get(batch, ("abcdef", False))
        if what == CONNECTION
        else ("abcdef", what == AFTER and batch in "bcde")
        for what, batch in product(MISHAPS, "abcdef")
    }
    assert not e05c.run().expired
    assert e05c.logged(e05c.run()) == "abcdef"


def test_what_is_shown_of_a_mishap_does_not_tell_what_comes_of_it():
    answer = answer_to("05c", "lists").value
    shown = exercises.open("05c").show(answer)
    assert "no answer" in str(shown)
    assert "NotEnoughReplicasAfterAppend" in str(shown)
    assert "out of order" not in str(shown)
    assert "epoch 1" in str(exercises.open("05c").check(answer).picture)


def test_the_broker_that_remembers_doubles_nothing_and_reorders():
    found = carried_out(e05b.Burst(e05b.Remembers), e05b.example(None), judged=False)
    assert found.shown == ("'milk'", "'tea'", "'sugar'", "'milk'")
    assert "milk · tea · sugar · milk" in exercises.open("05b").show(...).html


def shortest(model, longest):
    """Return the length of the shortest schedule that breaks the specification, of all, without merging states."""
    found = []

    def go(state, steps):
        if len(steps) + 1 < min(found, default=longest + 2):
            try:
                model.settle(state)
                for action in model.actions(state) if len(steps) < longest else ():
                    after, _ = model.next(state, action)
                    model.judge(after)
                    go(after, [*steps, action])
            except Broken:
                found.append(len(steps) + 1)

    go(model.start(), [])
    return min(found, default=None)


@pytest.mark.parametrize(
    ("name", "sent", "longest"),
    [
        ("memory alone", world(p7=[[1]]), 3),
        ("any first number", world(p7=[[1, 1]]), 3),
        ("zombies write", world(p7=[[1], [1]]), 3),
        ("saves after deleting", world(p7=[[1]], deletions=1), 3),
        ("one object for each producer", world(p7=[[1], [1]], deletions=1), 3),
    ],
)
def test_the_search_finds_what_all_schedules_together_show(name, sent, longest):
    broker = answer_to("05e", name).value
    found = explore(Hostile(broker, sent), 1_000)
    brute = shortest(Hostile(broker, sent), longest)
    assert (brute is None) == (answer_to("05e", name).state == "right")
    assert brute == (len(found.lines) if found.sentence else None)


def test_a_disk_dies_before_the_write_that_is_one_too_many():
    disk = Disk(left=1)
    disk.append([7, 0, 0, ["tea"]])
    with pytest.raises(Died):
        disk.save([1])
    assert (disk.log, disk.saved) == ([[7, 0, 0, ["tea"]]], None)


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (lambda disk: disk.delete(2), r"delete\(2\): the log has the places 0 to 1"),
        (lambda disk: disk.save({"log": ["tea"]}), "there is a record in it, 'tea'"),
        (lambda disk: disk.save(object()), "takes numbers, texts"),
    ],
)
def test_a_disk_refuses_what_makes_no_sense(write, words):
    disk = Disk()
    disk.append([7, 0, 0, ["tea"]])
    with pytest.raises((ValueError, TypeError), match=words):
        write(disk)


@pytest.mark.parametrize("name", ["05a", "05b", "05c", "05e"])
def test_what_is_shown_without_an_answer_is_a_picture(name):
    unsolved = {"05a": lambda headers: None}.get(name, ...)
    assert exercises.open(name).show(unsolved).html


def test_a_deletion_is_tried_in_the_middle():
    reply = exercises.open("05e").check(answer_to("05e", "saves after deleting").value)
    assert "the broker dies after write 1 of 2: it starts again" in str(reply.picture)
    assert "deleted" in str(reply.picture)
