"""The exercises on the broker's side of the idempotent producer: rules as the log has them, and a search of all."""

from itertools import product

import pytest

from exactly_once.chapters import item
from exactly_once.exercises.kinds.mistakes import answer_with
from exactly_once.explore.plain import Broken, explore
from exactly_once.log.broker.producer_state import Producers
from exactly_once.log.client.requests import draft
from exactly_once.log.errors import InvalidProducerEpoch, OutOfOrderSequence
from exactly_once.log.storage.records import NOBODY, PLAIN


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
    found = [answer_with("05a")(headers) for (headers,) in item("05a").cases]
    assert found == [by_the_log(headers) for (headers,) in item("05a").cases]
    assert {offset is None for offset in found} == {True, False}


def test_java_doubles_or_times_out_as_answers_behind_were_heard_or_not():
    answer, harm = answer_with("05c"), {}
    for mishap in product(("connection", "too few replicas", "not written"), "abcdef"):
        reply = item("05c").check(answer | {"harmless": mishap})
        harm[mishap] = "" if reply.right else "expires" if "expires" in reply.sentence else "twice"
    assert {mishap for mishap, what in harm.items() if what == "twice"} == {*product(["connection"], "bcde")}
    assert {mishap for mishap, what in harm.items() if what == "expires"} == {*product(["too few replicas"], "bcde")}


def test_what_is_shown_of_a_mishap_does_not_tell_what_comes_of_it():
    shown = item("05c").show(answer_with("05c"))
    assert "no answer" in str(shown)
    assert "NotEnoughReplicasAfterAppend" in str(shown)
    assert "out of order" not in str(shown)
    assert "epoch 1" in str(item("05c").check(answer_with("05c")).picture)


def test_the_broker_that_remembers_doubles_nothing_and_reorders():
    assert "milk · tea · sugar · milk" in item("05b").show(...).html


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


@pytest.mark.parametrize("sentence", ["", "is in the log before batch 0", "a zombie wrote it", "is in the log twice"])
@pytest.mark.parametrize("world", [0, 1, 4, 5])
def test_the_search_finds_what_all_schedules_together_show(sentence, world):
    change = item("05e").mistakes[sentence] if sentence else ()
    model = item("05e").model(answer_with("05e", change), **item("05e").worlds[world])
    found, brute = explore(model, 1_000), shortest(model, 3)
    assert brute == (len(found.lines) if found.sentence else None)


def test_a_deletion_is_tried_in_the_middle():
    wrong = answer_with("05e", item("05e").mistakes["is in the log twice"])
    assert "deleted" in str(item("05e").check(wrong).picture)


@pytest.mark.parametrize("name", ["05a", "05b", "05c", "05e"])
def test_what_is_shown_without_an_answer_is_a_picture(name):
    assert item(name).show(...).html
