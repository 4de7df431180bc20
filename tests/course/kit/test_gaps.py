"""The gaps of the chapters, under the law of the exercises: solved they pass, unsolved and wrong they fail."""

import ast
import functools

import pytest

from exactly_once import solutions
from exactly_once.chapters.items import gap_named
from exactly_once.course import exercises, my_work, predictions
from exactly_once.course.exercises import exercise
from exactly_once.course.kit import gap
from exactly_once.course.kit.built import borrowed
from exactly_once.solutions import words
from tests.notebooks.reading import CHAPTERS, read

NAMES = solutions.gap_names()
SOLVED = {name: solutions.source_of(name) for name in solutions.gap_names()}


def filled(source):
    """Run a gap's cell, and return the `Filled` gap that it shows."""
    names = {"__name__": "__main__"}
    exec(compile(source, "<cell>", "exec"), names)
    return names[source.rstrip().splitlines()[-1]]


def test_every_gap_has_a_solution_and_a_cell_in_its_chapter():
    cells = [cell.id for path in CHAPTERS for cell in read(path).cells if cell.id.startswith("gap-")]
    assert sorted(cells) == [f"gap-{name}" for name in NAMES]
    assert sorted(SOLVED) == solutions.gap_names() == NAMES
    assert {name for found in predictions.asked("gap").values() for name in found} == set(NAMES)


def test_the_cells_go_on_with_the_learners_version_or_the_librarys():
    name = "04-silent-harm"
    right, unsolved = filled(solutions.solved(SOLVED[name])), filled(solutions.handed_out(SOLVED[name]))
    assert right.reply.state == "right"
    assert right.or_library() is right.answer
    assert unsolved.reply.state == "unsolved"
    assert unsolved.or_library() is gap_named(name).library


def test_what_is_shown_has_hints_and_after_two_tries_the_librarys_version():
    name = "04-silent-harm"
    first = filled(solutions.handed_out(SOLVED[name]))._repr_html_()
    assert "eo-way-on" not in first
    assert "after two tries" in first
    for _ in range(2):
        my_work.note(name, False)
    unsolved = filled(solutions.handed_out(SOLVED[name]))
    html = unsolved._repr_html_()
    assert html.count('<details class="eo-folded eo-hint"') == len(words(name).hints)
    assert '<details class="eo-folded eo-way-on">' in html
    assert "go on with the library's version" in repr(unsolved)
    assert words(name).hints[0] in str(unsolved.hint(1))
    library = html.partition("<pre>")[2].partition("</pre>")[0]
    assert ast.parse(library.replace("&#x27;", "'").replace("&quot;", '"').replace("&gt;", ">").replace("&lt;", "<"))


def test_the_hint_that_is_offered_is_the_one_below(mine, monkeypatch):
    """A chapter has no name `hint`, by which an exercise's notebook asks for one."""
    monkeypatch.setattr(exercise, "_tries", {})
    for _ in range(2):
        wrong = gap("04-silent-harm", lambda verdict: verdict.nothing)
    assert wrong.reply.offer == "Hint 1 of 3, folded below, may help."


@pytest.mark.parametrize("name", NAMES)
def test_the_librarys_own_function_is_refused_however_it_is_dressed(name):
    library = gap_named(name).library

    class Dressed:
        def method(self, *arguments):
            return library(*arguments)

    for answer in (library, functools.partial(library), Dressed().method, Dressed, lambda x: [library][0](x)):
        shown = gap(name, answer)
        assert shown.reply.state == "wrong"
        assert f"the library's {library.__name__}" in shown.reply.sentence
        assert shown.or_library() is library


def test_a_name_imported_inside_is_seen_and_ones_own_function_of_that_name_is_not_the_librarys():
    library = gap_named("03-copies").library
    inside = load_text("def answer(f):\n    from somewhere import copies\n    return copies(f)")
    module = load_text("import json as there\ndef answer(f):\n    return there.copies(f)")
    own = load_text("def copies(f):\n    return f()\ndef answer(f):\n    return copies(f)")
    assert borrowed(inside, (library,)) == "copies"
    assert borrowed(module, (library,)) == "copies"
    assert borrowed(own, (library,)) is None
    held = [[library], {"it": library}, lambda it=library: it, staticmethod(library)]
    assert [borrowed(one, (library,)) for one in held] == [library.__name__] * len(held)


def load_text(source):
    names = {"__name__": "__main__"}
    exec(source, names)
    return names["answer"]


def test_a_filled_gap_counts(mine):
    gaps_of_04 = sum(name.startswith("04-") for name in NAMES)
    assert f"0 of {gaps_of_04}" in str(exercises.progress())
    filled(solutions.solved(SOLVED["04-silent-harm"]))
    assert f"1 of {gaps_of_04}" in str(exercises.progress())
