"""The clock playground: drawing, moving, choosing, undoing; and nonsense, which changes nothing."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactly_once.clocks import random_history
from exactly_once.widgets import ClockPlaygroundModel, clock_playground
from exactly_once.widgets.base.controls import error_html
from exactly_once.widgets.playground.drawn_run import MOST, Drawing, stamp_of
from exactly_once.widgets.playground.playground_model import example
from exactly_once.widgets.playground.playground_widget import screen


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
    ("rename", [99, "x"]), ("rename", [1]), ("undo", None), ("redo", None), ("tool", 3),
]  # fmt: skip


@pytest.mark.parametrize(("what", "value"), NONSENSE)
def test_nonsense_is_told_and_changes_nothing(what, value):
    made = ClockPlaygroundModel()
    before = made.state
    made.do(what, value)
    assert made.state.error
    assert "itself failed" not in error_html(made.state.error)
    assert (made.state.drawing, made.state.chosen) == (before.drawing, before.chosen)


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
