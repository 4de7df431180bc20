"""The exercises on clocks: their pictures show no solution, and their checks try the announced runs."""

import pytest

from exactly_once.course import exercises
from exactly_once.errors import BadInput
from exactly_once.exercises.ch01 import runs
from exactly_once.exercises.ch01.group import Group, causal
from exactly_once.explore import prove
from exactly_once.explore.plain import explore
from exactly_once.handlers.mutual_exclusion import in_order_of_requests, mutual_exclusion
from tests.course.answers import answer_to


@pytest.mark.parametrize("answer", [..., {"p1": [1, 2, 3, 4], "p2": [1, 2, 6, 7], "p3": [1, 2, 3, 4, 5, 6]}])
def test_the_run_to_stamp_does_not_show_its_stamps(answer):
    columns = list(exercises.open("01a").show(answer).table)
    assert [name for name in columns if name != "drawn"] == ["event", "kind", "message", "from"]


def test_the_run_by_hand_holds_every_case_of_the_rule():
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


@pytest.mark.parametrize("name", ["01a", "01b", "01d", "01f", "01g"])
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


def every_run(model, group, moves=()):
    """Yield (moves, whether the specification holds) of every run of a group, without merging, up to the first no."""
    for move in model.actions(group):
        after, _ = model.next(group, move)
        holds = causal(after) is True
        yield (*moves, move), holds
        if holds:
            yield from every_run(model, after, (*moves, move))


@pytest.mark.parametrize(
    ("name", "quotas", "duplicates"),
    [
        ("vectors of broadcasts", (1, 1, 0), 1),
        ("with objects", (2, 0), 2),
        ("order of each sender", (1, 1, 0), 1),
        ("looks once", (3, 0), 0),
        ("each once", (2, 0), 1),
    ],
)
def test_the_search_over_a_network_finds_what_all_runs_together_show(name, quotas, duplicates):
    member = answer_to("01g", name).value
    model = Group(member, quotas, duplicates)
    broken = [len(moves) for moves, holds in every_run(model, model.start()) if not holds]
    found = explore(model)
    assert bool(found.sentence) == bool(broken)
    assert not broken or len(found.steps) == min(broken)


def test_what_has_not_arrived_is_told():
    answer = answer_to("01g", "order of each sender").value
    picture = exercises.open("01g").check(answer).picture
    assert "Still on its way: a to p3, b to p1." in picture.html
    assert str(picture).splitlines()[-1] == "p3 delivers b before a, which its sender knew when it sent b"


def test_the_challenge_shows_its_specification_before_there_is_an_answer():
    assert "known_to_sender" in exercises.open("01g").show(...).html
    shown = exercises.open("01g").show(answer_to("01g", "brings its history along").value)
    assert "b arrives at p3, which delivers a, then b." in str(shown)


@pytest.mark.parametrize(("name", "words"), [("saves each time", "3 times"), ("saves a limit ahead", "2 times:")])
def test_a_durable_clock_is_told_its_price(name, words):
    assert f"saved {words}" in exercises.open("01b").check(answer_to("01b", name).value).sentence
