"""The panel of an exercise: what its buttons say and do, the offer of a hint, Stop, and errors in their place."""

import sys
import threading
from types import SimpleNamespace

import pytest

from exactly_once.clocks import Event, History
from exactly_once.course import exercises
from exactly_once.course.exercises import exercise as module
from exactly_once.widgets import Debugger


@pytest.fixture(autouse=True)
def notebook(monkeypatch, tmp_path):
    """What the notebook's cells define: the answer is looked up there."""
    names = SimpleNamespace()
    monkeypatch.setitem(sys.modules, "__main__", names)
    monkeypatch.setattr(module, "_tries", {})
    monkeypatch.setenv("EXACTLY_ONCE_WORK", str(tmp_path / "mine"))
    return names


def clicked(panel, *what):
    """Click buttons one after the other, and wait for each."""
    for do in what:
        panel._heard(panel, {"do": do, "value": None, "number": 1}, [])
        assert panel.model.wait(300)
    return panel


def one_event(logs):
    return [(1, "p1")]


def in_total_order(logs):
    run = History.merge([Event(process, *event) for event in log] for process, log in logs.items())
    return [(run.lamport[place], run[place].process) for place in run.total_order()]


def test_a_new_panel_names_the_exercise_and_its_answer():
    panel = exercises.open("01d").panel()
    assert "01d · the total order, from scattered logs" in panel.head
    assert "task" in panel.head
    assert "· not yet" in panel.head
    assert "<code>total_order</code>" in panel.tools
    assert "Hint 1 of 4" in panel.tools
    assert panel.result == panel.hints == panel.error == ""
    assert "Run this cell again for its buttons" in repr(panel)


def test_an_answer_whose_cell_was_not_run_is_told_in_place(notebook):
    panel = clicked(exercises.open("01d").panel(), "check")
    assert "This notebook has no total_order yet" in panel.error
    assert "eo-standing-new" in panel.head
    notebook.total_order = one_event
    clicked(panel, "show")
    assert panel.error == ""
    assert "<svg" in panel.result


def test_check_takes_the_answer_as_it_is_now(notebook):
    notebook.total_order = one_event
    panel = clicked(exercises.open("01d").panel(), "check")
    assert panel.result.index("✗ Wrong.") < panel.result.index("<svg")
    assert "○ tried" in panel.head
    notebook.total_order = in_total_order
    clicked(panel, "check")
    assert (
        panel.result.index("eo-is-good")
        < panel.result.index('<details class="eo-more">')
        < panel.result.index("<svg")
    )
    assert "✓ solved" in panel.head


@pytest.mark.parametrize("dots", [..., lambda logs: None])
def test_the_handed_out_dots_are_no_try(notebook, dots):
    notebook.total_order = dots
    panel = clicked(exercises.open("01d").panel(), "check", "check", "check")
    assert "Not solved yet" in panel.result
    assert "· not yet" in panel.head
    assert "may help" not in panel.tools


def test_the_calls_offer_the_hint_as_well_and_the_panel_knows_it(notebook):
    exercise = exercises.open("01d")
    assert "may help" not in repr(exercise.check(one_event))
    assert repr(exercise.check(one_event)).endswith("Hint 1 of 4 may help: hint(1).")
    assert "may help: hint(1)" in exercise.check(one_event)._repr_html_()
    assert "Hint 1 may help" in exercise.panel().tools
    exercise.hint(1)
    assert "may help" not in repr(exercise.check(one_event))
    assert "Hint 1 of 4: Two steps" in exercise.panel().hints
    assert "may help" not in repr(exercise.check(in_total_order))


def test_what_shows_it_is_opened_below(notebook):
    notebook.prediction = {"doubled": [4], "missing": [], "wrong": [], "counter": 8}
    panel = clicked(exercises.open("04a").panel(), "check", "open")
    assert isinstance(panel.opened, Debugger)
    assert panel.error == ""


def test_a_check_can_be_stopped_and_is_then_no_try(notebook, monkeypatch):
    monkeypatch.setattr("exactly_once.widgets.base.model.PATIENCE_SECONDS", 60)
    started = threading.Event()
    panel = exercises.open("01d").panel()
    judged = panel.model.exercise.judged

    def slowly(answer):
        started.set()
        return judged(answer)

    panel.model.exercise.judged = slowly

    def never(logs):
        while True:
            pass

    notebook.total_order = never
    panel._heard(panel, {"do": "check", "value": None, "number": 1}, [])
    assert started.wait(30)
    while panel.model.work is not None:  # the answer's process may not have begun when it is stopped first
        panel.model.interrupt(panel.model.work) if panel.model.work.stopped() else panel.model.do("stop")
        panel.model.wait(0.05)
    assert "Stopped. This was no try." in panel.status
    assert "eo-standing-new" in panel.head
    assert panel.result == panel.error == ""


def test_a_notebook_that_runs_unattended_has_a_sentence():
    assert repr(exercises.open("04f")) == ("Exercise 04f, challenge: the counter too. Hints: hint(1) to hint(4).")
    assert repr(exercises.open("04f").panel()).startswith("Exercise 04f · the counter too")


def test_the_solution_is_a_button_after_two_tries_and_all_hints(notebook):
    notebook.total_order = one_event
    panel = clicked(exercises.open("01d").panel(), "hint", "hint", "hint", "hint", "check")
    assert "eo-solution" not in panel.tools
    clicked(panel, "solution")
    assert "Check two answers of your own first" in panel.error
    clicked(panel, "check")
    assert "eo-solution" in panel.tools
    assert "Why." not in panel.hints
    clicked(panel, "solution")
    assert "def total_order" in panel.hints
    assert "Why." in panel.hints
