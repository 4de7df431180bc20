"""Work that was saved under old names counts under the new ones, and no file of a learner's is lost."""

import hashlib
import json

import nbformat
import pytest

from exactly_once.course import copies, predictions, renamed, solved
from exactly_once.course.chapters import chapter_named
from exactly_once.course.exercises import markers
from exactly_once.course.kit import built
from exactly_once.paths import ROOT
from exactly_once.solutions import exercise_names, gap_names

OLD, NEW = "notebooks/10-concurrent-exactly-once.ipynb", "notebooks/10-the-lock-free-handler.ipynb"
OLD_EXERCISES = "exercises/10-concurrent-exactly-once.ipynb"
SAID = {"hot–hot": "lock-free"}


@pytest.fixture(autouse=True)
def mine(tmp_path, monkeypatch):
    """The folder that stands for `my-work/`."""
    monkeypatch.setenv("EXACTLY_ONCE_WORK", str(tmp_path / "mine"))
    return tmp_path / "mine"


def notebook(source):
    """Return a notebook with one cell, as bytes."""
    cell = nbformat.v4.new_code_cell(source, id="gap-10-pure")
    return (nbformat.writes(nbformat.v4.new_notebook(cells=[cell])) + "\n").encode()


def handed_out(mine, name, now, then=None):
    """Write a copy as it is now, and the note of how it was handed out."""
    path, note = mine / name, mine / copies.NOTE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(now)
    known = json.loads(note.read_text()) if note.exists() else {}
    cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(then or now)["cells"]]
    written = json.dumps(cells).encode()
    sums = [hashlib.sha256(each).hexdigest()[:16] for each in (then or now, written)]
    note.write_text(json.dumps(known | {name: sums}))
    return path


def with_output(content):
    """Return a notebook as it is after a run."""
    ran = nbformat.reads(content.decode(), as_version=4)
    ran.cells[0].execution_count = 3
    return (nbformat.writes(ran) + "\n").encode()


def test_what_the_table_names_is_there_today_and_was_there_once():
    asked = {name for names in predictions.asked("predict").values() for name in names}
    assert {new for new in renamed.PREDICTIONS.values() if new} <= asked
    assert {new for new in renamed.GAPS.values() if new} <= set(gap_names())
    assert {new for new in renamed.EXERCISES.values() if new} <= set(exercise_names())
    assert not set(renamed.NAMES) & (asked | set(gap_names()) | set(exercise_names()))
    assert not any((ROOT / old).exists() for old in renamed.FILES)


def test_a_learners_work_of_the_old_form_is_kept_and_counts(mine):
    yours = handed_out(mine, OLD, notebook("invoices = 1"), notebook("..."))
    answers = handed_out(mine, OLD_EXERCISES, notebook("push_once = 1"), notebook("..."))
    (mine / "predictions.json").write_text(
        json.dumps({"10-mutants": {"said": SAID, "first": SAID, "since": "2026-01-01", "right": True}})
    )
    (mine / "progress.json").write_text(
        json.dumps({name: {"tries": 1, "solved": "2026-01-01"} for name in ("10b", "10-pure", "10-withdraw")})
    )
    before = yours.read_bytes(), answers.read_bytes()
    said = copies.hand_out()
    assert (yours.read_bytes(), answers.read_bytes()) == before
    assert (mine / NEW).read_bytes() == copies.original(NEW)
    assert (mine / "notebooks" / "11-what-it-promises.ipynb").exists()
    assert [sentence.partition(";")[0] for sentence in said] == [
        "10-concurrent-exactly-once.ipynb is 10-the-lock-free-handler.ipynb and 11-what-it-promises.ipynb now",
        "10-concurrent-exactly-once.ipynb is 10-the-lock-free-handler.ipynb now",
    ]
    assert copies.hand_out() == []
    assert predictions.kept("11-mutants") == predictions.kept("10-mutants") == SAID
    assert predictions.counts()["11"][1:] == (1, 1)
    assert solved.standing("10b") == "solved"
    assert {"10b", "10-pure"} <= set(solved.solved_names())


def test_what_the_learner_did_nothing_with_goes_and_what_was_run_is_kept_aside(mine):
    left = handed_out(mine, OLD_EXERCISES, notebook("..."))
    ran = handed_out(mine, OLD, with_output(notebook("...")), notebook("..."))
    content = ran.read_bytes()
    (said,) = copies.hand_out()
    assert not left.exists()
    assert not ran.exists()
    (kept,) = mine.glob("*-10-concurrent-exactly-once.ipynb")
    assert kept.name in said
    assert kept.read_bytes() == content
    assert copies.hand_out() == []


def test_an_old_copy_that_is_run_again_counts_for_the_new_chapter():
    predictions.keep("10-years", {"": "a year"})
    predictions.judge("10-years", lambda answer: True)
    assert predictions.kept("11-years") == {"": "a year"}
    assert predictions.counts()["11"][1:] == (1, 1)
    assert chapter_named("10-concurrent-exactly-once") == "10-the-lock-free-handler"


def test_lines_that_were_built_under_an_old_name_are_found(mine, monkeypatch, capsys):
    monkeypatch.setitem(renamed.NAMES, "03-count", "03-copies")
    (mine / "built").mkdir(parents=True)
    code = markers.solved(markers.source_of("03-copies")).partition("\n\n\n")[2].rpartition("\n\n\n")[0]
    (mine / "built" / "03-count.py").write_text(f"{code}\n\n\nanswer = copies\n")
    assert built("03-copies").__name__ == "copies"
    assert "03-count.py" in capsys.readouterr().out
