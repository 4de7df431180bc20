"""The clock playground: drawing, moving, choosing, undoing; the quiz; and nonsense, which changes nothing."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactly_once.clocks import random_history
from exactly_once.widgets import ClockPlaygroundModel, clock_playground
from exactly_once.widgets.base.controls import error_html
from exactly_once.widgets.playground import quiz as quizzes
from exactly_once.widgets.playground.model import example
from exactly_once.widgets.playground.run import MOST, Drawing, relations, stamp_of
from exactly_once.widgets.playground.widget import screen


def stamps(drawing):
    return {dot.name: stamp_of(drawing, dot.name) for dot in drawing.dots}


def model(*steps):
    """A playground of three empty lines after these steps, none of which may be refused."""
    made = ClockPlaygroundModel()
    for what, value in (("clear", None), *steps):
        made.do(what, value)
        assert made.state.error is None, (what, value)
    return made


def test_the_path_between_two_chosen_events_is_marked():
    made = model(("event", [1, 1]), ("message", [[1, 2], [2, 3]]), ("message", [[2, 4], [3, 5]]), ("event", [3, 1]))
    for name in "ae":
        made.do("choose", name)
    picture = screen(made)["picture"]
    assert [event["name"] for event in picture["events"] if event["on"]] == ["a", "b", "c", "d", "e"]
    assert [arrow["on"] for arrow in picture["arrows"]] == [True, True]
    assert picture["steps"] == [["a", "b"], ["c", "d"]]


NONSENSE = [
    ("dance", None), ("event", None), ("event", [1]), ("event", [9, 1]), ("event", [1, "x"]), ("event", [1, -1]),
    ("event", [1, float("nan")]), ("event", [1, True]), ("event", [1, 10**9]), ("message", [[1, 2]]),
    ("message", ["zz", [2, 1]]), ("message", None), ("move", ["zz", 1]), ("move", ["a", None]), ("choose", "zz"),
    ("choose", None), ("choose", []), ("delete", "zz"), ("remove_process", 99), ("remove_process", []),
    ("rename", [99, "x"]), ("rename", [1]), ("undo", None), ("redo", None), ("mode", "chess"), ("tool", 3),
    ("level", "9"), ("level", None), ("number", "-3"), ("number", "1" * 50), ("pick", "zz"), ("answers", 3),
    ("check", [1]),
]  # fmt: skip


@pytest.mark.parametrize(("what", "value"), NONSENSE)
def test_nonsense_is_told_and_changes_nothing(what, value):
    made = ClockPlaygroundModel()
    before = made.state
    made.do(what, value)
    assert made.state.error
    assert "itself failed" not in error_html(made.state.error)
    assert (made.state.drawing, made.state.chosen, made.state.quiz) == (before.drawing, before.chosen, before.quiz)


STEPS = st.one_of(
    st.tuples(st.just("event"), st.tuples(st.integers(1, 3), st.floats(0, 20))),
    st.tuples(st.just("message"), st.tuples(*[st.tuples(st.integers(1, 3), st.floats(0, 20))] * 2)),
    st.tuples(st.just("message"), st.tuples(*[st.sampled_from("abcdefgh")] * 2)),
    st.tuples(st.just("move"), st.tuples(st.sampled_from("abcdefgh"), st.floats(0, 20))),
    st.tuples(st.just("delete"), st.sampled_from("abcdefgh")),
    st.tuples(st.sampled_from(["undo", "redo", "line_up", "add_process"]), st.none()),
    st.tuples(st.just("remove_process"), st.integers(1, 4)),
)


@given(st.lists(STEPS, max_size=25))
def test_whatever_is_done_the_run_can_have_happened_and_undo_leads_back(steps):
    made = model()
    for what, value in steps:
        before = made.state.drawing
        made.do(what, value)
        drawing = made.state.drawing
        assert "itself failed" not in error_html(made.state.error)
        assert not made.state.error or drawing == before
        for row in drawing.lines:
            columns = sorted(dot.x for dot in drawing.dots if dot.line == row.key)
            assert all(right - left >= 1 for left, right in itertools.pairwise(columns))
        assert len({dot.name for dot in drawing.dots}) == len(drawing.dots)
        for one, other in drawing.arrows:
            assert stamp_of(drawing, one) < stamp_of(drawing, other)
    while made.past:
        made.do("undo")
    assert made.state.drawing == example()


@given(st.integers(2, MOST), st.integers(0, 60), st.integers(0, 10**6))
def test_a_history_and_its_drawing_agree(processes, events, seed):
    history = random_history(processes, events, seed)
    drawing = Drawing.of(history)
    assert sorted(drawing.history.lamport) == sorted(history.lamport)
    assert drawing.history.concurrent_pairs() == history.concurrent_pairs()


def test_the_screen_follows_the_model_and_escapes_what_is_typed():
    shown = clock_playground()
    assert repr(shown) == "Clock playground: 10 events on 3 processes"
    shown._heard(None, {"do": "rename", "value": [1, "<b>x</b>"]}, None)
    assert "&lt;b&gt;" in shown.table
    assert "<b>x" not in shown.table
    assert shown.picture["lines"][0]["name"] == "<b>x</b>"
    shown._heard(None, {"do": "choose", "value": "a"}, None)
    assert "stamp 1" in shown.says
    for nonsense in (None, "x", {"do": 3}, {"do": "event", "value": {}}):
        shown._heard(None, nonsense, None)
        assert "itself failed" not in shown.error
    assert len(shown.history) == 10


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
    assert [name for name, mark in missing.marks.items() if mark == "wrong"] == [missing.says.split()[0]], (
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
