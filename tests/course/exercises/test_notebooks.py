"""The notebooks of the exercises: what the solutions make of them, their runs, their links and hints."""

import os
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from exactly_once import solutions
from exactly_once.chapters.items import item
from exactly_once.course import copies, exercises
from exactly_once.course.exercises import generate
from exactly_once.errors import CourseError
from exactly_once.paths import ROOT, temporary
from exactly_once.solutions import cells_in, exercise_names
from tests.notebooks.reading import LINK, broken_links, code, read, text_of

SOLUTIONS = sorted((ROOT / "solutions").glob("[0-9][0-9]-*.py"))
EXERCISES = sorted((ROOT / "exercises").glob("*.ipynb"))


def notebook(path):
    """Return an exercise's notebook, or that of a solution, which is a text."""
    made = copies.original(f"solutions/{path.stem}.ipynb").decode() if path.suffix == ".py" else path.read_text()
    return nbformat.reads(made, as_version=4)


def test_exercises_and_gaps_are_what_the_solutions_make_of_them_each_time(tmp_path, monkeypatch):
    for folder in ("solutions", "notebooks"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "99-of-no-solution.ipynb").write_text("{}")
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    first = generate.generate()
    assert set(first) == {path.stem for path in SOLUTIONS} | {"99-of-no-solution"}
    made = written_notebooks(tmp_path)
    assert generate.generate() == []
    for path in (tmp_path / "exercises").iterdir():
        path.unlink()
    generate.generate()
    assert written_notebooks(tmp_path) == made == written_notebooks(ROOT)


def written_notebooks(root):
    """Return the bytes of the notebooks that are generated, by path."""
    found = [*(root / "exercises").glob("*.ipynb"), *(root / "notebooks").glob("[0-9]*.ipynb")]
    return {path.relative_to(root): path.read_bytes() for path in found}


@pytest.mark.some(day=0, ci=1)
@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem)
def test_the_learners_copy_runs_to_the_end_in_a_kernel(path, mine, monkeypatch):
    for variable, folder in (("IPYTHONDIR", "ipython"), ("JUPYTER_RUNTIME_DIR", "jupyter/runtime")):
        monkeypatch.setenv(variable, str(temporary(folder)))
    copies.hand_out()
    ran = read(mine / "exercises" / path.name)
    NotebookClient(ran, timeout=300, kernel_name="python3").execute(env=os.environ.copy())
    shown = [
        output["data"]["text/plain"]
        for cell in ran.cells
        if ".check(" in cell.source and cell.cell_type == "code"
        for output in cell.outputs
    ]
    assert len(shown) == sum(name[:2] == path.stem[:2] for name in exercise_names())
    assert all("Not solved yet" in text for text in shown)
    answers = [cell for cell in ran.cells if cell.id.endswith("-answer")]
    said = [output for cell in answers for output in cell.outputs if output["data"]["text/plain"]]  # but for styles
    assert len(said) == len(shown)
    assert all(output["data"]["text/plain"].startswith(f"Exercise {path.stem[:2]}") for output in said)
    assert not any(output.output_type == "stream" for cell in ran.cells for output in cell.get("outputs", ()))


def test_links_of_the_learners_copies_lead_somewhere_and_stay_among_the_copies(mine):
    assert [link for path in EXERCISES for link in broken_links(path)] == []
    copies.hand_out()
    found = [mine / name for name in copies.names() if not name.endswith((".png", ".gif"))]
    links = {(path, link) for path in found for link in LINK.findall(text_of(path)) if "://" not in link}
    ends = {(path, Path(path.parent, link.partition("#")[0] or path).resolve()) for path, link in links}
    assert [end for end in ends if not end[1].exists()] == []
    assert {path for path in found if path.suffix == ".ipynb"} <= {path for path, _ in ends}
    own = {*copies.FOLDERS} - {copies.SOLUTIONS}  # solutions are handed out when they are asked for
    assert [end for end in ends if any(end[1].is_relative_to(ROOT / folder) for folder in own)] == []


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_each_exercise_names_its_tier_and_has_its_buttons_below_the_answer(path):
    cells = {cell.id: cell.source for cell in notebook(path).cells}
    for name, task in ((name, item(name)) for name in exercise_names()):
        if name[:2] == path.stem[:2]:
            assert f"({task.tier}, " in cells[f"{name}-task"].splitlines()[0]
            assert cells[f"{name}-answer"].splitlines()[-1] == f"task_{name[2]}"
            assert cells[f"{name}-check"] == f"task_{name[2]}.check({task.answer})"


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_no_solution_is_a_cell_of_its_chapter(path):
    chapter = ["\n".join(lines(cell)) for cell in code(read(ROOT / "notebooks" / f"{path.stem}.ipynb"))]
    for source in code(notebook(path)):
        for part in source.split(solutions.BEGIN)[1:]:
            solution = "\n".join(lines(part.split(solutions.END)[0]))
            assert not any(f"\n{solution}\n" in f"\n{cell}\n" for cell in chapter), solution


def lines(source):
    """Return the lines of some code without their margins."""
    return [line.strip() for line in source.splitlines() if line.strip()]


def test_hints_grow_and_end():
    for name in exercise_names():
        exercise = exercises.open(name)
        assert exercise.title
        assert exercise.hints
        assert [str(exercise.hint(number + 1)).endswith(hint) for number, hint in enumerate(exercise.hints)]
        with pytest.raises(CourseError, match="must be between 1 and"):
            exercise.hint(len(exercise.hints) + 1)


@pytest.mark.parametrize("text", ["# %%\n1\n", '# %% id="a"\n1\n\n# %% id="a"\n2\n'])
def test_a_cell_without_an_id_of_its_own_is_told(text):
    with pytest.raises(CourseError, match="an id of its own"):
        cells_in(text)


@pytest.mark.parametrize(
    "source", ["### BEGIN SOLUTION\n1", "1\n### END SOLUTION", "### BEGIN SOLUTION\n### BEGIN SOLUTION\n"]
)
def test_a_marker_without_its_partner_is_told(source):
    with pytest.raises(CourseError, match=r"Cell 3 .*without its partner"):
        solutions.handed_out(source, "Cell 3 of some notebook")


def test_what_stands_between_the_markers_makes_room():
    source = "def f(x):\n    ### BEGIN SOLUTION\n    y = x\n    return y\n    ### END SOLUTION\nf(1)"
    assert solutions.handed_out(source) == f"def f(x):\n    {solutions.PROMPT}\n    ...\nf(1)"
