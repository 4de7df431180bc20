"""The exercises on clocks: what they show gives nothing away, and what they try is what they say."""

import pytest

from exactly_once.course import exercises
from exactly_once.course.tasks.chapter_01 import runs
from exactly_once.errors import BadInput
from exactly_once.explore import prove
from exactly_once.handlers.mutual_exclusion import in_order_of_requests, mutual_exclusion


@pytest.mark.parametrize("answer", [..., {"p1": [1, 2, 3, 4], "p2": [1, 2, 6, 7], "p3": [1, 2, 3, 4, 5, 6]}])
def test_the_run_to_stamp_does_not_show_its_stamps(answer):
    assert list(exercises.open("01a").show(answer).table) == ["event", "kind", "message", "from", "drawn"]


def test_the_run_with_concurrent_pairs_does_not_show_its_vectors():
    assert "vector" not in exercises.open("01c").show(...).table


def test_the_runs_by_hand_hold_every_case_of_the_rule():
    receipts = [
        (runs.BY_HAND.lamport[runs.BY_HAND.previous[receive]], runs.BY_HAND.lamport[send])
        for send, receive in runs.BY_HAND.arrows
    ]
    assert {(own > carried) - (own < carried) for own, carried in receipts} == {-1, 0, 1}


def test_small_runs_begin_with_the_smallest_and_differ():
    found = runs.small_runs()
    assert [len(run) for run in found] == sorted(map(len, found))
    assert len({run.events for run in found}) == len(found)
    assert any(run.arrows for run in found)


@pytest.mark.parametrize("name", ["01a", "01b", "01c", "01d", "01e", "01f", "01g"])
@pytest.mark.parametrize("answer", [7, "nonsense", None])
def test_an_answer_of_another_form_is_wrong_and_said_why(name, answer):
    reply = exercises.open(name).check(answer)
    assert reply.state == "wrong"
    with pytest.raises(BadInput):
        exercises.open(name).show(answer)


def test_the_condition_to_enter_can_be_replaced():
    lawful = mutual_exclusion(
        2, condition=lambda request, queue, heard: min(queue) == request and min(heard.values()) > request[0]
    )
    own, given = (
        prove(handler, nodes=2, items=1, crashes=0, invariant=in_order_of_requests)
        for handler in (mutual_exclusion(2), lawful)
    )
    assert (own.ok, given.ok, own.states) == (True, True, given.states)


@pytest.mark.parametrize("rounds", [0, -1, "2", (1, -1), (1, None), True])
def test_rounds_that_make_no_sense(rounds):
    with pytest.raises(BadInput, match="number of rounds"):
        mutual_exclusion(rounds)
