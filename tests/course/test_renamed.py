"""Work that was saved under old names counts under the new ones."""

import json

import pytest

from exactly_once import solutions
from exactly_once.course import built, chapter_named, counts, judge, keep, kept, renamed, solved_names, standing
from exactly_once.solutions import exercise_names, gap_names
from tests.notebooks.reading import asked

SAID = {"hot–hot": "lock-free"}


@pytest.fixture(autouse=True)
def mine(tmp_path, monkeypatch):
    """The folder that stands for `my-work/`."""
    monkeypatch.setenv("EXACTLY_ONCE_WORK", str(tmp_path / "mine"))
    return tmp_path / "mine"


def test_what_the_table_names_is_there_today_and_was_there_once():
    predicted = asked("predict")
    assert {new for new in renamed.PREDICTIONS.values() if new} <= predicted
    assert {new for new in renamed.GAPS.values() if new} <= set(gap_names())
    assert {new for new in renamed.EXERCISES.values() if new} <= set(exercise_names())
    assert not set(renamed.NAMES) & (predicted | set(gap_names()) | set(exercise_names()))


def test_a_learners_work_of_the_old_form_counts(mine):
    mine.mkdir()
    (mine / "predictions.json").write_text(
        json.dumps({"10-mutants": {"said": SAID, "first": SAID, "since": "2026-01-01", "right": True}})
    )
    (mine / "progress.json").write_text(
        json.dumps({name: {"tries": 1, "solved": "2026-01-01"} for name in ("10b", "10-pure", "10-withdraw")})
    )
    assert kept("11-mutants") == kept("10-mutants") == SAID
    assert counts()["11"][1:] == (1, 1)
    assert standing("10b") == "solved"
    assert {"10b", "10-pure"} <= set(solved_names())


def test_an_old_copy_that_is_run_again_counts_for_the_new_chapter():
    keep("10-years", {"": "a year"})
    judge("10-years", lambda answer: True)
    assert kept("11-years") == {"": "a year"}
    assert counts()["11"][1:] == (1, 1)
    assert chapter_named("10-concurrent-exactly-once") == "10-the-lock-free-handler"


def test_lines_that_were_built_under_an_old_name_are_found(mine, monkeypatch, capsys):
    monkeypatch.setitem(renamed.NAMES, "03-count", "03-copies")
    (mine / "built").mkdir(parents=True)
    code = solutions.solved(solutions.source_of("03-copies")).partition("\n\n\n")[2].rpartition("\n\n\n")[0]
    (mine / "built" / "03-count.py").write_text(f"{code}\n\n\nanswer = copies\n")
    assert built("03-copies").__name__ == "copies"
    assert "03-count.py" in capsys.readouterr().out
