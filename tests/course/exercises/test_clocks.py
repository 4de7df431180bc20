"""The exercises on clocks: what they show gives nothing away, and what they try is what they say."""

import pytest

from exactly_once.course import exercises
from exactly_once.course.tasks.chapter_01 import runs
from exactly_once.course.tasks.chapter_01.group import Bounds, Group, causal, searched
from exactly_once.errors import BadInput
from exactly_once.explore import prove
from exactly_once.handlers.mutual_exclusion import in_order_of_requests, mutual_exclusion
from tests.course.exercises.test_answers import ANSWERS, load


@pytest.mark.parametrize("answer", [..., {"p1": [1, 2, 3, 4], "p2": [1, 2, 6, 7], "p3": [1, 2, 3, 4, 5, 6]}])
def test_the_run_to_stamp_does_not_show_its_stamps(answer):
    columns = list(exercises.open("01a").show(answer).table)
    assert [name for name in columns if name != "drawn"] == ["event", "kind", "message", "from"]


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


def every_run(group, moves=()):
    """Yield (moves, whether the specification holds) of every run of a group, without merging, up to the first no."""
    for move in group.moves():
        after, _ = group.after(move)
        holds = causal(after) is True
        yield (*moves, move), holds
        if holds:
            yield from every_run(after, (*moves, move))


@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        ("right_vectors_of_broadcasts", Bounds((1, 1, 0), duplicates=1)),
        ("right_with_objects", Bounds((2, 0), duplicates=2)),
        ("wrong_order_of_each_sender", Bounds((1, 1, 0), duplicates=1)),
        ("wrong_looks_once", Bounds((3, 0))),
        ("wrong_each_once", Bounds((2, 0), duplicates=1)),
    ],
)
def test_the_search_over_a_network_finds_what_all_runs_together_show(name, bounds):
    member = load(ANSWERS / "01g" / f"{name}.py")["answer"]
    broken = [len(moves) for moves, holds in every_run(Group.of(member, bounds)) if not holds]
    found = searched(member, bounds).moves
    assert (found is None) == (not broken)
    assert found is None or len(found) == min(broken)


def test_what_has_not_arrived_is_told():
    answer = load(ANSWERS / "01g" / "wrong_order_of_each_sender.py")["answer"]
    picture = exercises.open("01g").check(answer).picture
    assert "Still on its way: a to p3, b to p1." in picture.html
    assert str(picture).splitlines()[-1] == "p3 delivers b before a, which its sender knew when it sent b"


def test_the_challenge_shows_its_specification_before_there_is_an_answer():
    assert "known_to_sender" in exercises.open("01g").show(...).html
    shown = exercises.open("01g").show(load(ANSWERS / "01g" / "right_brings_its_history_along.py")["answer"])
    assert "b arrives at p3, which delivers a, then b." in str(shown)


@pytest.mark.parametrize(
    ("name", "words"), [("right_saves_each_time", "3 times"), ("right_saves_a_limit_ahead", "1 time:")]
)
def test_a_durable_clock_is_told_its_price(name, words):
    assert f"saved {words}" in exercises.open("01b").check(load(ANSWERS / "01b" / f"{name}.py")["answer"]).sentence


def test_siblings_are_drawn_with_what_is_lost():
    picture = exercises.open("01e").check(load(ANSWERS / "01e" / "wrong_last_by_sum.py")["answer"]).picture
    assert picture.html.count(">lost<") == 1
