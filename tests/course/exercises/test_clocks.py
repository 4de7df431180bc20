"""The exercises on clocks: their pictures show no solution, and their checks try the announced runs."""

import pytest

from exactly_once.chapters import item
from exactly_once.chapters.ch01.group import Group, causal
from exactly_once.course import exercises
from exactly_once.errors import BadInput
from exactly_once.exercises.kinds.mistakes import answer_with
from exactly_once.explore.plain import explore
from exactly_once.handlers.mutual_exclusion import mutual_exclusion


@pytest.mark.parametrize("answer", [..., {"p1": [1, 2, 3, 4], "p2": [1, 2, 6, 7], "p3": [1, 2, 3, 4, 5, 6]}])
def test_the_run_to_stamp_does_not_show_its_stamps(answer):
    columns = list(exercises.open("01a").show(answer).table)
    assert [name for name in columns if name != "drawn"] == ["event", "kind", "message", "from"]


@pytest.mark.parametrize("name", ["01a", "01b", "01d", "01f", "01g"])
@pytest.mark.parametrize("answer", [7, "nonsense", None])
def test_an_answer_of_another_form_is_wrong_and_said_why(name, answer):
    reply = exercises.open(name).check(answer)
    assert reply.state == "wrong"
    with pytest.raises(BadInput):
        exercises.open(name).show(answer)


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


EACH_SENDER, LOOKS_ONCE, LOSES = list(item("01g").mistakes.values())[:3]


@pytest.mark.parametrize(
    ("change", "quotas", "duplicates"),
    [
        ((), (1, 1, 0), 1),
        ((), (2, 0), 2),
        (EACH_SENDER, (1, 1, 0), 1),
        (LOOKS_ONCE, (3, 0), 0),
        (LOSES, (2, 0), 1),
    ],
)
def test_the_search_over_a_network_finds_what_all_runs_together_show(change, quotas, duplicates):
    model = Group(answer_with("01g", change), quotas, duplicates)
    broken = [len(moves) for moves, holds in every_run(model, model.start()) if not holds]
    found = explore(model)
    assert bool(found.sentence) == bool(broken)
    assert not broken or len(found.steps) == min(broken)


def test_what_has_not_arrived_is_told():
    picture = item("01g").check(answer_with("01g", (EACH_SENDER,))).picture
    assert "Still on its way: a to p3, b to p1." in picture.html
    assert str(picture).splitlines()[-1] == "p3 delivers b before a, which its sender knew when it sent b"


def test_the_challenge_shows_its_specification_before_there_is_an_answer():
    assert "known_to_sender" in item("01g").show(...).html
    assert "b arrives at p3, which delivers nothing." in str(item("01g").show(answer_with("01g")))


def test_a_durable_clock_is_told_its_price():
    clock = item("01b")
    assert "saved 3 times. Could it" in clock.check(answer_with("01b")).sentence
    assert "saved 2 times: " in clock.check(answer_with("01b", clock.right[0])).sentence
