"""What `make test` chooses: something of every part, the same each time, and no rule for tests that are gone."""

import subprocess
import sys

import pytest

from exactly_once.exercises import TASKS
from exactly_once.exercises.kinds.gap import gaps
from exactly_once.paths import ROOT
from tests import by_day

DAY, ALL = "not slow and not not_by_day", "not slow"


def collected(marks, *paths):
    """Return the ids of the tests with these marks."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:xdist", "-m", marks, *paths]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout[-2000:]
    return [line for line in told.stdout.splitlines() if "::" in line]


@pytest.fixture(scope="module")
def every():
    """Return the ids of all tests but the slow ones."""
    return collected(ALL)


@pytest.fixture(scope="module")
def chosen(every):
    """Return those that run by day."""
    return by_day.by_day(every)


def test_make_runs_them_by_their_marks():
    for command, marks in (("test", DAY), ("test-all", ALL)):
        told = subprocess.run(
            ["make", "-n", "-o", "environment-dev", command], cwd=ROOT, capture_output=True, text=True
        )
        assert f'-m "{marks}"' in told.stdout
    path = "tests/stores/test_served.py"
    assert set(collected(DAY, path)) == by_day.by_day(collected(ALL, path)) < set(collected(ALL, path))


def test_every_rule_fits_a_test_and_leaves_some_by_day(every, chosen):
    rules = [*by_day.DAY, *by_day.CI]
    assert [rule for rule in rules if not any(test.startswith(rule) for test in every)] == []
    assert 0.5 < len(chosen) / len(every) < 0.9


def test_each_folder_is_tried_by_day(every, chosen):
    by_night = {"tests/spark/clocks", "tests/spark/cluster"}
    assert {test.rpartition("/")[0] for test in every} - {test.rpartition("/")[0] for test in chosen} == by_night


@pytest.mark.parametrize("name", [*TASKS, *gaps()])
def test_each_exercise_and_gap_has_its_solved_unsolved_and_wrong_answers_by_day(name, chosen):
    answers = [test for test in chosen if f"::test_an_answer_is_judged_as_it_should_be[{name}-" in test]
    assert len(answers) == 2
    assert all(f"[{name}-wrong" in test for test in answers)
    [chapter] = [path.stem for path in ROOT.glob(f"notebooks/{name[:2]}-*.ipynb")]
    if name in TASKS:
        both = [
            f"test_{each}[{chapter}]" for each in ("solved_every_exercise_passes", "unsolved_every_exercise_fails")
        ]
    else:
        both = [f"test_solved_it_passes_and_unsolved_it_does_not[{name}]"]
    assert all(any(test.endswith(f"::{each}") for test in chosen) for each in both)


def test_cases_are_spread_evenly_with_the_first():
    assert by_day.spread(list("abcdefgh"), 3) == ["a", "c", "f"]
    assert by_day.spread(list("ab"), 3) == ["a", "b"]
    assert by_day.spread(list("ab"), by_day.ALL) == ["a", "b"]
    assert by_day.spread(list("ab"), by_day.NONE) == []


def test_the_longest_beginning_decides(monkeypatch):
    monkeypatch.setattr(by_day, "DAY", {"tests/": by_day.ALL, "tests/a/": by_day.NONE, "tests/a/b.py::test_c": 1})
    tests = ["tests/b.py::test", "tests/a/b.py::test", "tests/a/b.py::test_c[1]", "tests/a/b.py::test_c[2]"]
    assert by_day.by_day(tests) == {"tests/b.py::test", "tests/a/b.py::test_c[1]"}


@pytest.mark.parametrize(
    ("changed", "nearest"),
    [
        (set(), []),
        ({"notebooks/06-transactions.ipynb"}, ["06-transactions"]),
        ({"notebooks/00-start-here.ipynb"}, []),
        ({"lib/exactly_once/widgets/playground/model.py"}, ["01-lamport-clocks"]),
        ({"lib/exactly_once/errors.py", "notebooks/09-the-lock-free-queue.ipynb"}, ["09-the-lock-free-queue", "0"]),
    ],
)
def test_the_notebooks_nearest_to_a_change_run_by_day(changed, nearest, monkeypatch):
    by_day.nearest_notebooks.cache_clear()
    monkeypatch.setattr(by_day, "changed_files", lambda: changed)
    try:
        found = by_day.nearest_notebooks()
        assert len(found) <= by_day.CHANGED
        assert [name[: len(begins)] for name, begins in zip(found, nearest, strict=False)] == nearest
    finally:
        by_day.nearest_notebooks.cache_clear()
