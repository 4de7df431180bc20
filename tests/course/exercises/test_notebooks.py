"""The notebooks: exercises are what their solutions make of them; unsolved they fail, solved they pass."""

import os
from pathlib import Path

import pytest
from nbclient import NotebookClient

from exactly_once.course import copies, exercises
from exactly_once.course.exercises import markers
from exactly_once.course.tasks import TASKS
from exactly_once.course.tasks.task import TIERS
from exactly_once.errors import CourseError
from exactly_once.paths import ROOT, temporary
from tests.notebooks.reading import LINK, broken_links, code, read, text_of

SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
EXERCISES = sorted((ROOT / "exercises").glob("*.ipynb"))


def replies(path):
    """Run a notebook's code here, and return the reply of each check by the exercise's name."""
    names, found = {"__name__": "__main__"}, {}
    for source in code(read(path)):
        task, check, answer = source.partition(".check(")
        if check:
            found[names[task].name] = names[task].check(names[answer.removesuffix(")")])
        elif not source.startswith("exercises.progress"):
            exec(source, names)
    return found


def test_there_are_exercises_for_every_task():
    assert SOLUTIONS
    assert list(TASKS) == sorted(TASKS)
    assert {path.stem[:2] for path in SOLUTIONS} == {name[:2] for name in TASKS}


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_the_exercises_are_generated_from_the_solutions(path):
    assert (ROOT / "exercises" / path.name).read_text() == markers.exercise_of(path.stem)


def test_nothing_else_lies_among_the_exercises():
    assert [path.name for path in EXERCISES] == [path.name for path in SOLUTIONS]


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_solved_every_exercise_passes(path):
    found = replies(path)
    assert {name: reply.state for name, reply in found.items()} == dict.fromkeys(found, "right")
    assert set(found) == {name for name in TASKS if name[:2] == path.stem[:2]}


@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem)
def test_unsolved_every_exercise_fails(path):
    found = replies(path)
    assert {name: reply.state for name, reply in found.items()} == dict.fromkeys(found, "unsolved")
    assert set(found) == {name for name in TASKS if name[:2] == path.stem[:2]}


@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem)
def test_the_learners_copy_runs_to_the_end_in_a_kernel(path, mine, monkeypatch):
    for variable, folder in (("IPYTHONDIR", "ipython"), ("JUPYTER_RUNTIME_DIR", "jupyter/runtime")):
        monkeypatch.setenv(variable, str(temporary(folder)))
    copies.hand_out()
    notebook = read(mine / "exercises" / path.name)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute(env=os.environ.copy())
    shown = [
        output["data"]["text/plain"]
        for cell in notebook.cells
        if ".check(" in cell.source and cell.cell_type == "code"
        for output in cell.outputs
    ]
    assert len(shown) == sum(name[:2] == path.stem[:2] for name in TASKS)
    assert all("Not solved yet" in text for text in shown)
    answers = [cell for cell in notebook.cells if cell.id.endswith("-answer")]
    said = [output for cell in answers for output in cell.outputs if output["data"]["text/plain"]]  # but for styles
    assert len(said) == len(shown)
    assert all(output["data"]["text/plain"].startswith(f"Exercise {path.stem[:2]}") for output in said)
    assert not any(output.output_type == "stream" for cell in notebook.cells for output in cell.get("outputs", ()))


@pytest.mark.parametrize("path", [*SOLUTIONS, *EXERCISES], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_links_lead_somewhere(path):
    assert broken_links(path) == []


def test_links_of_the_learners_copies_lead_somewhere_and_stay_among_the_copies(mine):
    copies.hand_out()
    found = [mine / name for name in copies.names() if not name.endswith(".png")]
    links = {(path, link) for path in found for link in LINK.findall(text_of(path)) if "://" not in link}
    ends = {(path, Path(path.parent, link.partition("#")[0] or path).resolve()) for path, link in links}
    assert [end for end in ends if not end[1].exists()] == []
    assert {path for path in found if path.suffix == ".ipynb"} <= {path for path, _ in ends}
    assert [end for end in ends if any(end[1].is_relative_to(ROOT / folder) for folder in copies.FOLDERS)] == []


def test_every_cell_of_an_exercise_bears_its_name():
    for path in EXERCISES:
        ids = [cell.id for cell in read(path).cells]
        assert len(set(ids)) == len(ids)
        for name in TASKS:
            if name[:2] == path.stem[:2]:
                assert sum(each.startswith(f"{name}-") for each in ids) >= 4


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_each_exercise_names_its_tier_and_has_its_buttons_below_the_answer(path):
    cells = {cell.id: cell.source for cell in read(path).cells}
    for name, task in TASKS.items():
        if name[:2] == path.stem[:2]:
            assert f"({task.tier}, " in cells[f"{name}-task"].splitlines()[0]
            assert cells[f"{name}-answer"].splitlines()[-1] == f"task_{name[2]}"
            assert cells[f"{name}-check"] == f"task_{name[2]}.check({task.answer})"


def test_each_chapter_begins_with_a_warm_up_and_ends_with_a_challenge():
    tiers = {name: task.tier for name, task in TASKS.items()}
    assert set(tiers.values()) == set(TIERS)
    assert all("warm-up" in (tiers[f"{path.stem[:2]}a"], tiers[f"{path.stem[:2]}b"]) for path in SOLUTIONS)
    last = {name[:2]: name for name in sorted(tiers)}
    assert {tiers[name] for name in last.values()} == {"challenge"}


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_no_solution_is_a_cell_of_its_chapter(path):
    chapter = ["\n".join(lines(cell)) for cell in code(read(ROOT / "notebooks" / path.name))]
    for source in code(read(path)):
        for part in source.split(markers.BEGIN)[1:]:
            solution = "\n".join(lines(part.split(markers.END)[0]))
            assert not any(f"\n{solution}\n" in f"\n{cell}\n" for cell in chapter), solution


def lines(source):
    """Return the lines of some code without their margins."""
    return [line.strip() for line in source.splitlines() if line.strip()]


def test_hints_grow_and_end():
    for name, task in TASKS.items():
        exercise = exercises.open(name)
        assert len(task.hints) >= 3
        assert [str(exercise.hint(number + 1)).endswith(hint) for number, hint in enumerate(task.hints)]
        with pytest.raises(CourseError, match="must be between 1 and"):
            exercise.hint(len(task.hints) + 1)


@pytest.mark.parametrize(
    "source", ["### BEGIN SOLUTION\n1", "1\n### END SOLUTION", "### BEGIN SOLUTION\n### BEGIN SOLUTION\n"]
)
def test_a_marker_without_its_partner_is_told(source):
    with pytest.raises(CourseError, match=r"Cell 3 .*without its partner"):
        markers.handed_out(source, "Cell 3 of some notebook")


def test_what_stands_between_the_markers_makes_room():
    source = "def f(x):\n    ### BEGIN SOLUTION\n    y = x\n    return y\n    ### END SOLUTION\nf(1)"
    assert markers.handed_out(source) == f"def f(x):\n    {markers.PROMPT}\n    ...\nf(1)"
