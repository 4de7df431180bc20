"""The exercises on clocks: their pictures show no solution, and their checks try the announced runs."""

import pytest

from exactly_once.chapters.items import item
from exactly_once.course import exercises
from exactly_once.exercises.kinds.mistakes import answer_with

from .by_hand import RIGHT


@pytest.mark.parametrize("answer", [..., {"p1": [1, 2, 3, 4], "p2": [1, 2, 6, 7], "p3": [1, 2, 3, 4, 5, 6]}])
def test_the_run_to_stamp_does_not_show_its_stamps(answer):
    columns = list(exercises.open("01a").show(answer).table)
    assert [name for name in columns if name != "drawn"] == ["event", "kind", "message", "from"]


def test_what_has_not_arrived_is_told():
    picture = item("01g").check(answer_with("01g", next(iter(item("01g").mistakes.values())))).picture
    assert "Still on its way: a to p3, b to p1." in picture.html
    assert str(picture).splitlines()[-1] == "p3 delivers b before a, which its sender knew when it sent b"


def test_the_challenge_shows_its_specification_before_there_is_an_answer():
    assert "known_to_sender" in item("01g").show(...).html
    assert "b arrives at p3, which delivers nothing." in str(item("01g").show(answer_with("01g")))


def test_a_durable_clock_is_told_its_price():
    clock = item("01b")
    assert "saved 3 times. Could it" in clock.check(answer_with("01b")).sentence
    assert "saved 2 times: " in clock.check(answer_with("01b", RIGHT["01b"][0])).sentence
