"""The learner's copies survive updates, are reset one by one; and progress is kept, carried, and never lost."""

import subprocess
import sys

import nbformat
import pytest

from exactly_once.course import copies, exercises, my_work
from exactly_once.course.exercises import generate
from exactly_once.course.reset import reset_exercise
from exactly_once.errors import BadInput
from exactly_once.paths import ROOT

NAME = "04-crash-points"


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course of its own, with the exercises of this one."""
    root = tmp_path / "course"
    (root / "exercises").mkdir(parents=True)
    (root / "exercises" / f"{NAME}.ipynb").write_text(generate.exercise_of(NAME))
    monkeypatch.setattr(copies, "ROOT", root)
    return root


def original():
    """Return the exercises as they are handed out."""
    return copies.original(f"exercises/{NAME}.ipynb").decode()


def change(path, cell_id, source):
    """Write `source` into a cell of a notebook on disk."""
    notebook = nbformat.read(path, as_version=4)
    next(cell for cell in notebook.cells if cell.id == cell_id).source = source
    path.write_text(nbformat.writes(notebook) + "\n")


def source_of(path, cell_id):
    return next(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.id == cell_id)


def test_solutions_are_handed_out_when_they_are_asked_for(course, mine):
    (course / "solutions").mkdir()
    text = course / "solutions" / f"{NAME}.py"
    text.write_text((ROOT / "solutions" / f"{NAME}.py").read_text())
    copies.hand_out()
    copy = mine / "solutions" / f"{NAME}.ipynb"
    assert not copy.exists()
    assert str(copy) in exercises.solutions("04")
    assert "plan = (" in source_of(copy, "04e-answer")
    text.write_text(text.read_text().replace("Break the repaired handler", "Break a handler"))
    assert copies.hand_out() == []
    assert "Break a handler" in source_of(copy, "04e-task")
    with pytest.raises(BadInput, match="no chapter 77"):
        exercises.solutions(77)


def test_one_solution_is_shown_after_two_tries(mine):
    task = exercises.open("04e")
    assert "Check two answers of your own first" in task.solution()
    for _ in range(2):
        task.check("at the letter D")
    shown = task.solution()._repr_markdown_()
    assert 'Fault("database.increment", 3, "crash before")' in shown
    assert "**Why.**" in shown
    assert "BEGIN SOLUTION" not in shown


def test_one_exercise_is_reset_and_the_others_stay(course, mine):
    copies.hand_out()
    copy = mine / "exercises" / f"{NAME}.ipynb"
    fresh = source_of(copy, "04e-answer")
    change(copy, "04e-answer", "plan = 1")
    change(copy, "04c-answer", "def keyed(node): return 7")
    before = copy.read_text()
    said = reset_exercise("04e")
    assert source_of(copy, "04e-answer") == fresh
    assert source_of(copy, "04c-answer") == "def keyed(node): return 7"
    (kept,) = mine.glob(f"*-exercises-{NAME}.ipynb")
    assert kept.name in said
    assert kept.read_text() == before


def test_a_reset_brings_back_cells_that_were_deleted_and_spares_new_ones(course, mine):
    copies.hand_out()
    copy = mine / "exercises" / f"{NAME}.ipynb"
    notebook = nbformat.read(copy, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.id != "04e-check"]
    notebook.cells.append(nbformat.v4.new_code_cell("my_own = 1"))
    copy.write_text(nbformat.writes(notebook))
    reset_exercise("04e")
    cells = nbformat.read(copy, as_version=4).cells
    assert "my_own = 1" in [cell.source for cell in cells]
    fresh = nbformat.reads(original(), as_version=4).cells
    assert [cell.id for cell in cells[:-1]] == [cell.id for cell in fresh]


@pytest.mark.not_by_day
def test_two_notebooks_that_note_progress_at_once_forget_nothing(mine):
    code = "import sys; from exactly_once.course import my_work; print(flush=True); sys.stdin.readline()"
    code += "\nfor _ in range(50): my_work.note('04a', False)"
    notebooks = [
        subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for notebook in notebooks:
        notebook.stdout.readline()
    for notebook in notebooks:
        notebook.stdin.write("\n")
        notebook.stdin.flush()
    assert [notebook.wait(60) for notebook in notebooks] == [0, 0]
    assert my_work.read_json(mine / "progress.json")["04a"]["tries"] == 100
    assert list(mine.glob("*.new")) == []
    for notebook in notebooks:
        notebook.communicate()


def test_progress_is_noted(mine):
    first = exercises.open("04a")
    assert first.check(...).state == "unsolved"
    assert len(str(exercises.progress()).splitlines()) < 40, "what nobody has tried takes one line"
    first.check({"doubled": [], "missing": [], "wrong": [], "counter": 7})
    assert "○ tried" in str(exercises.progress())
    assert first.check({"doubled": [4], "missing": [], "wrong": [4, 5], "counter": 8}).right
    first.check({"doubled": [], "missing": [], "wrong": [], "counter": 7})
    assert str(exercises.progress()).count("✓ solved") == 1


def test_a_damaged_file_of_progress_is_kept_aside(mine):
    (my_work.folder() / "progress.json").write_text("{ not JSON")
    assert "✓ solved" not in str(exercises.progress())
    assert [path.read_text() for path in mine.glob("*-progress.json")] == ["{ not JSON"]
