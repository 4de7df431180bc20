"""A prediction: asked, kept, shown beside what happened; and passed over by *Run All*."""

import json

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from exactly_once import show
from exactly_once.chapters import items
from exactly_once.course import exercises, predictions
from exactly_once.course.kit import predict
from exactly_once.errors import BadInput
from exactly_once.widgets import debugger

CHOICES = ("harmless", "doubles", "loses")


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """A kernel that has asked nothing yet."""
    import importlib

    monkeypatch.setattr(importlib.import_module("exactly_once.course.kit.predict"), "_questions", {})


def click(question, do, value=None):
    question.widget.on_message(do, value)


def test_one_click_keeps_the_answer_before_anything_is_shown(mine):
    question = predict("04-one", "What comes of it?", choices=CHOICES)
    shown = question.reveal("The reason.", it_did="doubles")
    assert "<details><summary>Not predicted yet" in shown._repr_html_()
    assert repr(shown) == "Not predicted. Predict above, and this opens."
    click(question, "fill-0", "doubles")
    assert json.loads((mine / "predictions.json").read_text())["04-one"]["said"] == {"": "doubles"}
    assert question.said == "doubles"
    assert "<details>" not in shown._repr_html_()
    assert "✓ as you said" in shown._repr_html_()
    assert repr(shown) == "✓ you said doubles, it did doubles\nThe reason."


def test_a_table_is_kept_when_it_is_full_and_each_row_is_judged():
    question = predict("04-rows", "Which?", rows=("A", "B"), choices=CHOICES)
    shown = question.reveal(it_did={"A": "harmless", "B": "loses"})
    click(question, "fill-0", "harmless")
    click(question, "keep")
    assert "Nothing is filled in yet for B" in question.widget.error
    assert question.said is None
    click(question, "fill-1", "doubles")
    click(question, "keep")
    assert question.said == {"A": "harmless", "B": "doubles"}
    assert repr(shown) == "✓ A: you said harmless, it did harmless\n✗ B: you said doubles, it did loses"


def test_a_wrong_choice_gets_the_sentence_that_is_written_for_it_or_for_its_row(monkeypatch):
    found = {"04-one": {"doubles": "Then it was sent `again`."}, "04-rows": {"B": {"doubles": "B sends nothing."}}}
    monkeypatch.setattr(items, "tables", lambda chapter, file: found)
    question = predict("04-one", "What?", choices=CHOICES)
    shown = question.reveal(it_did="loses")
    click(question, "fill-0", "doubles")
    assert "Then it was sent <code>again</code>." in shown._repr_html_()
    assert repr(shown) == "✗ you said doubles, it did loses\n  Then it was sent `again`."
    for choice in ("harmless", "loses"):
        click(question, "anew")
        click(question, "fill-0", choice)
        assert 'eo-why"' not in shown._repr_html_()
    question = predict("04-rows", "Which?", rows=("A", "B"), choices=CHOICES)
    shown = question.reveal(it_did={"A": "harmless", "B": "loses"})
    assert "B sends nothing" not in shown._repr_html_()
    for number in (0, 1):
        click(question, f"fill-{number}", "doubles")
    click(question, "keep")
    assert shown._repr_html_().count('eo-why"') == 1
    assert "B sends nothing." in repr(shown)


def test_rows_may_be_numbers_or_have_choices_of_their_own():
    question = predict("04-numbers", "When?", rows={"first": int, "in the end": ("right", "wrong")})
    click(question, "fill-0", "soon")
    assert "First is &#x27;soon&#x27;; give a whole number" in question.widget.card
    assert "first" not in question.model.state.filled
    click(question, "fill-0", " 5 ")
    click(question, "fill-1", "right")
    click(question, "keep")
    assert question.said == {"first": 5, "in the end": "right"}
    assert "✓ first: you said 5, it did 5" in repr(question.reveal(it_did={"first": 5.0, "in the end": "wrong"}))


def test_a_kept_answer_stands_until_it_is_asked_to_go_and_the_first_one_counts():
    question = predict("04-one", "What?", choices=CHOICES)
    shown = question.reveal(it_did="loses")
    click(question, "fill-0", "doubles")
    click(question, "fill-0", "loses")
    click(question, "keep")
    assert question.said == "doubles"
    click(question, "anew")
    assert question.said is None
    assert "Not predicted" in repr(shown)
    click(question, "fill-0", "loses")
    assert "✓" in repr(shown)
    assert predictions._read()["04-one"] | {"since": "", "at": ""} == {
        "first": {"": "doubles"},
        "right": False,
        "truth": {"": "loses"},
        "said": {"": "loses"},
        "since": "",
        "at": "",
    }


def test_a_cell_that_runs_again_shows_the_kept_answer_and_still_uncovers():
    shown = predict("04-one", "What?", choices=CHOICES).reveal("The reason.")
    again = predict("04-one", "What?", choices=CHOICES)
    click(again, "fill-0", "loses")
    assert "The reason." in repr(shown)
    changed = predict("04-one", "What then?", choices=CHOICES)
    assert changed.said == "loses"
    click(changed, "anew")
    assert "Not predicted" in repr(shown)
    assert predict("04-one", "What then?", choices=("a", "b")).said is None


def test_an_answer_to_what_is_asked_no_more_is_no_answer(mine):
    predictions.keep("04-one", {"": "explodes"})
    assert predict("04-one", "What?", choices=CHOICES).said is None
    predictions.keep("04-two", {"A": True})
    assert predict("04-two", "What?", rows=("A",)).said is None
    (mine / "predictions.json").write_text("{ not JSON")
    assert predict("04-three", "What?", choices=CHOICES).said is None


def test_an_answer_that_cannot_be_kept_uncovers_nothing(tmp_path, monkeypatch):
    question = predict("04-one", "What?", choices=CHOICES)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EXACTLY_ONCE_WORK", str(tmp_path / "file"))
    click(question, "fill-0", "loses")
    assert question.said is None
    assert "eo-is-bad" in question.widget.error
    assert not question.widget.answered


def test_the_output_is_changed_in_place(monkeypatch):
    said = []
    shell = InteractiveShell.instance()
    monkeypatch.setattr(
        shell.display_pub,
        "publish",
        lambda data, transient, update=False, **_: said.append((data, transient, update)),
    )
    question = predict("04-one", "What?", choices=CHOICES)
    question.reveal("The reason.")._ipython_display_()
    click(question, "fill-0", "loses")
    (first, transient, update), (then, same, updated) = said
    assert (update, updated) == (False, True)
    assert transient == same
    assert "<details>" in first["text/html"]
    assert "<details>" not in then["text/html"]
    InteractiveShell.clear_instance()


def test_whatever_has_html_can_be_covered_and_the_rest_is_told():
    question = predict("04-one", "What?", choices=CHOICES)
    things = [show.Picture("<p>drawn</p>"), pd.DataFrame({"a": [1]}), "say `so`", 7]
    html = question.reveal(*things)._repr_html_()
    for part in ("<p>drawn</p>", "<table", "<code>so</code>", "<pre>7</pre>"):
        assert part in html
    from exactly_once.handlers import at_least_once
    from exactly_once.simulate import simulate

    with pytest.raises(BadInput, match="A Debugger cannot be folded"):
        question.reveal(debugger(simulate(at_least_once), at_least_once))


def test_predictions_count_beside_the_exercises():
    before = str(exercises.progress())
    asked = predictions.asked("predict")["04"]
    assert f"0 of {len(asked)}" in before
    predictions.keep(asked[0], {"": "4 5 6"})
    predictions.judge(asked[0], lambda answer: answer == {"": "4 5 6"})
    (row,) = [line.split() for line in str(exercises.progress()).splitlines() if line.split()[:1] == ["04"]]
    assert row[:5] == ["04", "1", "of", str(len(asked)), "1"]


def test_a_page_without_a_kernel_has_the_question_and_the_answer():
    question = predict("04-one", "What does `push` do?", choices=CHOICES)
    click(question, "fill-0", "loses")
    bundle = question.widget.bundle()
    assert "<code>push</code>" in bundle["text/html"]
    assert "loses" in bundle["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in bundle
