"""The exercises on the broker's side of the idempotent producer: rules as the log has them, and a search of all."""

from itertools import product

import pytest

from exactly_once.course import exercises
from exactly_once.course.tasks.chapter_05 import e05a_accept as e05a
from exactly_once.course.tasks.chapter_05 import e05b_repair as e05b
from exactly_once.course.tasks.chapter_05 import e05c_refused as e05c
from exactly_once.course.tasks.chapter_05 import e05d_rebuild as e05d
from exactly_once.course.tasks.chapter_05.hostile import Died, Disk, begun, world
from exactly_once.course.tasks.chapter_05.search import Broken, searched
from exactly_once.course.tasks.chapter_05.wire import AFTER, CONNECTION, MISHAPS
from exactly_once.log.broker.producer_state import Entry, Producers
from exactly_once.log.client.requests import draft
from exactly_once.log.errors import OutOfOrderSequence
from exactly_once.log.storage.records import NOBODY, PLAIN
from tests.course.exercises.test_answers import ANSWERS, load


def by_the_log(last, first, count):
    """What the course's own broker does with a batch, when it knows the last one."""
    window = () if last is None else ((last[0], (sum(last) - 1) % 2**31, 40),)
    known = Producers({} if last is None else {7: Entry(epoch=0, window=window)})
    try:
        return e05a.ACCEPT if known.check(draft(PLAIN, count, 0, (7, 0, first)), 0) is None else e05a.DUPLICATE
    except OutOfOrderSequence:
        return e05a.REFUSE


def test_the_rule_to_accept_is_that_of_the_log():
    assert [e05a.judged(*case) for case in e05a.CASES] == [by_the_log(*case) for case in e05a.CASES]
    assert {e05a.judged(*case) for case in e05a.CASES} == set(e05a.WORDS)


@pytest.mark.parametrize("log", e05d.LOGS, ids=len)
def test_a_state_is_rebuilt_as_the_log_does_it(log):
    known = Producers()
    for offset, producer, epoch, first, count in log:
        whom = (NOBODY if producer is None else producer, epoch, first)
        known.note(draft(PLAIN, count, 0, whom)._replace(base=offset))
    found = {
        producer: (entry.epoch, [(base, first, last - first + 1) for first, last, base in entry.window])
        for producer, entry in known.entries.items()
    }
    assert e05d.rebuilt({}, log) == found


def test_after_a_clean_stop_four_batches_are_forgotten():
    assert e05d.forgotten(e05d.LOGS[5], 7) == [2, 3, 4, 5]
    assert any(e05d.forgotten(e05d.LOGS[log], place) == [] for log, place in e05d.CUTS)


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
    answer = load(ANSWERS / "05c" / "right_lists.py")["answer"]
    shown = exercises.open("05c").show(answer)
    assert "no answer" in str(shown)
    assert "NotEnoughReplicasAfterAppend" in str(shown)
    assert "out of order" not in str(shown)
    assert "epoch 1" in str(exercises.open("05c").check(answer).picture)


def test_the_broker_that_remembers_doubles_nothing_and_reorders():
    assert e05b.carried_out(e05b.Remembers).log == ("'milk'", "'tea'", "'sugar'", "'cake'")
    assert "milk · tea · sugar · cake" in exercises.open("05b").show(...).html


def shortest(state, longest):
    """Return the length of the shortest schedule that breaks the specification, of all, without merging states."""
    found = []

    def go(state, steps):
        if len(steps) + 1 < min(found, default=longest + 2):
            try:
                state.settle()
                for _, move in state.moves() if len(steps) < longest else ():
                    after, _ = move()
                    after.judge()
                    go(after, [*steps, move])
            except Broken:
                found.append(len(steps) + 1)

    go(state, [])
    return min(found, default=None)


@pytest.mark.parametrize(
    ("name", "sent", "longest"),
    [
        ("wrong_memory_alone", world(p7=[[1]]), 3),
        ("wrong_any_first_number", world(p7=[[1, 1]]), 3),
        ("wrong_zombies_write", world(p7=[[1], [1]]), 3),
        ("wrong_saves_after_deleting", world(p7=[[1]], deletions=1), 3),
        ("right_one_object_for_each_producer", world(p7=[[1], [1]], deletions=1), 3),
    ],
)
def test_the_search_finds_what_all_schedules_together_show(name, sent, longest):
    broker = load(ANSWERS / "05e" / f"{name}.py")["answer"]
    found = searched(begun(broker, sent), 1_000)
    brute = shortest(begun(broker, sent), longest)
    assert (brute is None) == name.startswith("right")
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


@pytest.mark.parametrize("name", ["05a", "05b", "05c", "05d", "05e"])
def test_what_is_shown_without_an_answer_is_a_picture(name):
    unsolved = {"05a": lambda last, first, count: None}.get(name, ...)
    assert exercises.open(name).show(unsolved).html


def test_a_deletion_is_tried_in_the_middle():
    reply = exercises.open("05e").check(load(ANSWERS / "05e" / "wrong_saves_after_deleting.py")["answer"])
    assert "the broker dies after write 1 of 2: it starts again" in str(reply.picture)
    assert "deleted" in str(reply.picture)
