"""The playground's quiz: the same run for the same number, right answers, the first wrong one explained."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactly_once.widgets import ClockPlaygroundModel
from exactly_once.widgets.playground import quiz as quizzes
from exactly_once.widgets.playground.run import relations, stamp_of
from exactly_once.widgets.playground.widget import screen

NUMBERS = range(1, 26)


def right_stamps(quiz):
    return {dot.name: str(stamp_of(quiz.drawing, dot.name)) for dot in quiz.drawing.dots}


def right_choice(quiz):
    return {name for name, how in relations(quiz.drawing, quiz.target).items() if how == "concurrent"}


def choose(quiz, names):
    for name in names:
        quiz = quizzes.picked(quiz, name)
    return quiz


@pytest.mark.parametrize("level", quizzes.LEVELS)
def test_a_number_is_always_the_same_run_and_worth_a_question(level):
    processes, events, _, lost, overtakes = quizzes.LEVELS[level]
    seen = set()
    for number in NUMBERS:
        quiz = quizzes.put(level, number)
        assert quiz == quizzes.put(level, number)
        assert len(quiz.drawing.lines) == processes
        assert len(quiz.drawing.dots) == events
        assert len(quiz.drawing.lost) <= lost
        assert bool(quiz.drawing.overtaking()) >= overtakes
        assert right_choice(quiz)
        seen.add(tuple(quiz.drawing.arrows))
    assert len(seen) > len(NUMBERS) / 2


def test_right_stamps_are_right_at_the_first_try():
    quiz = quizzes.put(2, 7)
    done = quizzes.checked(quiz, right_stamps(quiz))
    assert (done.state, done.score) == ("right", quizzes.Score(1, 1, 1))
    assert quizzes.checked(done, {}) is done, "it counts once"
    following = quizzes.following(done)
    assert (following.question, following.number, following.score) == ("concurrent", 7, quizzes.Score(1, 1, 1))


def test_the_first_wrong_stamp_is_explained_by_rule_and_values_and_does_not_give_the_others_away():
    quiz = quizzes.put(3, 2)
    order = [quiz.drawing.order[place].name for place in quiz.drawing.history.causal_order]
    receive = next(name for name in order if any(other == name for _, other in quiz.drawing.arrows))
    last = order[-1]
    answers = right_stamps(quiz) | {receive: "77", last: "78"}
    tried = quizzes.checked(quiz, answers)
    assert tried.state == "tried"
    assert tried.says.startswith(f"The first mistake is at {receive}, where you have 77: receive rule, the clock of ")
    assert f"+ 1 = {stamp_of(quiz.drawing, receive)}." in tried.says
    assert "1 more to look at after it" in tried.says
    assert dict(tried.marks) == {name: "wrong" if name in (receive, last) else "right" for name in order}
    better = quizzes.checked(tried, right_stamps(quiz))
    assert (better.state, better.score) == ("right", quizzes.Score(1, 0, 0)), "only the first try counts"


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "no stamp yet"), ("  ", "no stamp yet"), ("x", "'x'"), ("-1", "'-1'"), ("1.5", "'1.5'"), ("９", "'９'"),
     ("9" * 30, "whole number")],
)  # fmt: skip
def test_what_is_no_stamp_is_said_and_is_no_try(text, words):
    quiz = quizzes.put()
    done = quizzes.checked(quiz, right_stamps(quiz) | {"c": text})
    assert words in done.says
    assert (done.state, done.score) == ("asked", quizzes.Score())


def test_the_concurrent_events_are_found():
    quiz = quizzes.put(3, 5, "concurrent")
    done = quizzes.checked(choose(quiz, right_choice(quiz)))
    assert (done.state, done.score.right) == ("right", 1)
    assert quizzes.following(done).number == 6


def test_a_wrong_choice_is_explained_by_its_path():
    quiz = quizzes.put(3, 5, "concurrent")
    how = relations(quiz.drawing, quiz.target)
    wrong = next(name for name, relation in how.items() if relation != "concurrent")
    done = quizzes.checked(choose(quiz, [wrong]))
    assert done.state == "tried"
    first = done.says.split()[0]
    if first == wrong:
        assert "does not belong" in done.says
        assert {done.path[0], done.path[-1]} == {wrong, quiz.target}
    else:
        assert f"{first} is missing" in done.says
    missing = quizzes.checked(choose(quiz, list(right_choice(quiz))[1:]))
    assert "is missing" in missing.says
    assert "No path leads from either to the other" in missing.says
    assert [name for name, mark in missing.marks if mark == "wrong"] == [missing.says.split()[0]], (
        "one is told, no more"
    )


def test_shown_counts_as_not_known_and_no_try_after_it_counts():
    shown = quizzes.shown(quizzes.put(1, 1, score=quizzes.Score(3, 3, 3)))
    assert shown.score == quizzes.Score(4, 3, 0)
    assert dict(shown.answers) == right_stamps(shown)
    assert quizzes.shown(shown).score == shown.score
    assert quizzes.picked(shown, "a") is shown


@given(st.sampled_from(sorted(quizzes.LEVELS)), st.integers(1, 40), st.sets(st.sampled_from("abcdefghijklmn")))
def test_right_exactly_when_all_concurrent_events_and_no_other_are_chosen(level, number, names):
    quiz = quizzes.put(level, number, "concurrent")
    names = {name for name in names if name in quiz.drawing.places and name != quiz.target}
    done = quizzes.checked(choose(quiz, names))
    assert (done.state == "right") == (names == right_choice(quiz))
    assert done.says


def test_what_was_typed_survives_a_look_at_the_drawing():
    made = ClockPlaygroundModel()
    made.do("mode", "quiz")
    made.do("answers", {"a": "1", "b": "zwei"})
    made.do("mode", "draw")
    made.do("mode", "quiz")
    fields = {event["name"]: event["stamp"] for event in screen(made)["picture"]["events"]}
    assert (fields["a"], fields["b"], fields["c"]) == ("1", "zwei", "")
    assert screen(made)["table"] == "", "the table would give the answer away"
