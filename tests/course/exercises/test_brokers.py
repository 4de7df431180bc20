"""The exercises on the broker's side of the idempotent producer: rules as the log has them, and a search of all."""

from itertools import product

from exactly_once.chapters.items import item
from exactly_once.exercises.kinds.mistakes import answer_with
from exactly_once.log.broker.producer_state import Producers
from exactly_once.log.client.requests import draft
from exactly_once.log.log_errors import InvalidProducerEpoch, OutOfOrderSequence
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


def test_a_deletion_is_tried_in_the_middle():
    wrong = answer_with("05e", item("05e").mistakes["is in the log twice"])
    assert "deleted" in str(item("05e").check(wrong).picture)
