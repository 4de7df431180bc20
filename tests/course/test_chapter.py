"""A chapter's set-up: finding it by name, errors in one sentence, saying who has the cluster, running twice."""

import importlib
import os
import re

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from exactly_once.course.chapter import chapter, chapter_named, chapters, kernels_of, title
from exactly_once.course.setup.findings import Finding, Findings
from exactly_once.errors import BadInput
from exactly_once.paths import ROOT
from exactly_once.spark.cluster.processes import Owner
from tests.notebooks.reading import code, read

module = importlib.import_module("exactly_once.course.chapter")


@pytest.mark.parametrize(
    "given", ["98-only-for-tests", "98", 98, "notebooks/98-only-for-tests.ipynb", "../98", " 98 "]
)
def test_a_chapter_is_found_by_any_of_its_names(course, given):
    assert chapter_named(given) == "98-only-for-tests"


@pytest.mark.parametrize("given", ["", "4", 77, -1, "crash", None, "98-only-for-tests-2", 9.8])
def test_what_is_no_chapter_is_refused_with_the_list(course, given):
    with pytest.raises(BadInput, match=r"There is no chapter .* 00-first, 98-only-for-tests"):
        chapter_named(given)


def test_a_course_without_notebooks_says_so(course):
    for path in (course / "notebooks").iterdir():
        path.unlink()
    with pytest.raises(BadInput, match="the chapters are missing"):
        chapter_named("00")


def test_the_real_chapters_are_there():
    assert {"00-start-here", "04-crash-points"} <= set(chapters())
    assert title("04-crash-points") == "04 (crash points)"


def test_ready_is_one_line_and_calling_again_changes_nothing():
    first, second = chapter("00-start-here"), chapter("00")
    for ready in (first, second):
        assert ready.line.startswith("Chapter 00 (start here): ready. Python 3.")
        assert "\n" not in ready.line
        assert ready.findings is None
    assert [owner.pid for owner in kernels_of("00-start-here")].count(os.getpid()) == 1


def test_a_lab_is_made_ready_too_with_the_slots_that_it_says(monkeypatch):
    started = []
    monkeypatch.setattr(module, "start_early", started.append)
    monkeypatch.setattr(module.lease, "notebook_of", lambda pid: "/course/my-work/workshop/lab-2.ipynb")
    assert chapter("lab-2", slots=4).line.startswith("Lab 2: ready. Python 3.")
    assert chapter("demo").line.startswith("Demo: ready. Python 3.")
    assert started == [4]
    with pytest.raises(BadInput, match="slots is 3; it can be 2, 4"):
        chapter("lab-2", slots=3)


def test_a_lab_that_is_the_courses_own_or_outdated_says_so(course, monkeypatch):
    (course / "workshop").mkdir()
    lab = course / "workshop" / "lab-1.ipynb"
    lab.write_text('{"cells": [], "name": "lab-1"}\n')
    monkeypatch.chdir(course / "workshop")
    assert "this is the course's own notebook" in module.own_or_outdated("lab-1")
    copy = course / "my-work" / "workshop" / "lab-1.ipynb"
    copy.write_text('{"cells": [], "name": "mine"}\n')
    lab.write_text('{"cells": [{"cell_type": "markdown", "source": "newer"}]}\n')
    monkeypatch.chdir(copy.parent)
    assert "Rename yours, and `make workshop` brings it." in module.own_or_outdated("lab-1")


def test_a_process_works_on_one_chapter():
    chapter("00")
    chapter("04")
    assert os.getpid() not in [owner.pid for owner in kernels_of("00-start-here")]
    assert os.getpid() in [owner.pid for owner in kernels_of("04-crash-points")]


def test_notes_of_dead_kernels_go(course):
    module._note_kernel("98-only-for-tests")
    dead = module._notes() / "98-only-for-tests.999999999-1"
    dead.touch()
    assert kernels_of("98-only-for-tests") == [Owner.of(os.getpid())]
    assert not dead.exists()


def test_a_machine_that_is_not_ready_shows_the_findings(monkeypatch):
    bad = Findings([Finding("Java", "wrong", "none that Spark runs on", "Install Java <17>.")])
    monkeypatch.setattr("exactly_once.course.setup.doctor.check", lambda quick: bad)
    ready = chapter("00")
    assert "not ready" in ready.line
    assert "Install Java <17>." in repr(ready)
    assert "Install Java &lt;17&gt;." in ready._repr_markdown_()


def test_a_cluster_of_another_notebook_is_named(monkeypatch):
    other = Owner.of(os.getppid())
    monkeypatch.setattr(module.processes, "marked", lambda: {other: ["its driver"]})
    monkeypatch.setattr(module.processes, "mark", lambda process, name: "course")
    monkeypatch.setenv("EXACTLY_ONCE_LEASE", "course")
    told = repr(chapter("00"))
    assert f"in use by process {other.pid}" in told or f"process {other.pid})" in told
    assert "cluster(take_over=True)" in told
    monkeypatch.setenv("EXACTLY_ONCE_LEASE", "another")
    assert "in use" not in repr(chapter("00"))


def test_a_cluster_that_is_handed_over_when_idle_is_no_news(monkeypatch, course):
    other = Owner.of(os.getppid())
    monkeypatch.setattr(module.lease, "holder", lambda name: other)
    assert "in use by" in module.cluster_elsewhere()
    pipe = module.temporary("spark", "handover") / f"{other.pid}.pipe"
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    try:
        assert "in use by" in module.cluster_elsewhere()  # nobody listens
        listening = os.open(pipe, os.O_RDWR)
        assert module.cluster_elsewhere() is None
        os.close(listening)
    finally:
        pipe.unlink()


def test_a_notebook_that_was_opened_has_its_cluster_started_in_the_shape_that_it_will_ask_for(monkeypatch):
    started = []
    monkeypatch.setattr(module, "start_early", started.append)
    chapter("01")
    assert started == []  # a run of nobody's
    monkeypatch.setattr(module.lease, "notebook_of", lambda pid: "/course/01-lamport-clocks.ipynb")
    chapter("01")
    assert started == [4]


def test_the_shapes_that_are_started_are_the_ones_that_the_chapters_ask_for():
    asked = {}
    for name in chapters():
        source = "\n".join(code(read(ROOT / "notebooks" / f"{name}.ipynb")))
        if found := re.search(r"\bcluster\((?:slots=(\d+))?\)|from exactly_once.course import doctor", source):
            asked[name[:2]] = int(found.group(1) or 2)
        elif "kill_the_leader(" in source:  # it starts the cluster itself
            asked[name[:2]] = 2
    assert asked == module.SLOTS


def error_of(code):
    """Run code in a kernel in which a chapter was set up, and return the lines of the error that it shows."""
    setup = 'from exactly_once.course.chapter import chapter\nchapter("00-start-here")'
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(setup), nbformat.v4.new_code_cell(code)])
    with pytest.raises(CellExecutionError):
        NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    (shown,) = [output for output in notebook.cells[1].outputs if output.output_type == "error"]
    return shown.traceback


def test_errors_of_the_course_are_shown_as_one_sentence():
    assert error_of('from exactly_once.faults import FaultPlan\nFaultPlan.crash("Q")') == [
        "BadInput: the crash point is 'Q'; it can be A, B, C, D, E."
    ]


def test_other_errors_keep_their_traceback():
    assert len("\n".join(error_of("1 / 0")).splitlines()) > 3


def test_a_stuck_handler_shows_where_the_learners_code_was():
    code = (
        "from exactly_once.sandbox.pool import sandboxed\n"
        "def endless(node):\n    while True:\n        pass\n"
        "sandboxed(endless, seconds=1.0)"
    )
    told = "\n".join(error_of(code))
    assert told.startswith("HandlerStuck: ")
    assert "endless" in told
