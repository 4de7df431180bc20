"""A chapter's set-up: finding it by name, errors in one sentence, saying who has the cluster, running twice."""

import os
import re
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from exactly_once.course import SLOTS, chapter, chapter_named, kernels_of, own_or_outdated
from exactly_once.errors import BadInput
from exactly_once.owned import Owner
from tests.notebooks.reading import NOTEBOOKS, code, read


def test_a_chapter_is_found_by_any_of_its_names_and_what_is_none_is_refused_with_the_list(course):
    for given in ("98-only-for-tests", "98", 98, "notebooks/98-only-for-tests.ipynb", "../98", " 98 "):
        assert chapter_named(given) == "98-only-for-tests"
    for given in ("", "4", 77, -1, "crash", None, "98-only-for-tests-2", 9.8):
        with pytest.raises(BadInput, match=r"There is no chapter .* 00-first, 98-only-for-tests"):
            chapter_named(given)


def test_ready_is_one_line_and_calling_again_changes_nothing():
    first, second = chapter("00-start-here"), chapter("00")
    for ready in (first, second):
        assert ready.line.startswith("Chapter 00 (start here): ready. Python 3.")
        assert "\n" not in ready.line
        assert ready.findings is None
    assert [owner.pid for owner in kernels_of("00-start-here")].count(os.getpid()) == 1


def test_a_lab_is_made_ready_too_with_the_slots_that_it_says():
    assert chapter("lab-2", slots=4).line.startswith("Lab 2: ready. Python 3.")
    assert chapter("demo").line.startswith("Demo: ready. Python 3.")
    with pytest.raises(BadInput, match="slots is 3; it can be 2, 4"):
        chapter("lab-2", slots=3)


def test_a_lab_that_is_the_courses_own_or_outdated_says_so(course, monkeypatch):
    (course / "workshop").mkdir()
    lab = course / "workshop" / "lab-1.ipynb"
    lab.write_text('{"cells": [], "name": "lab-1"}\n')
    monkeypatch.chdir(course / "workshop")
    assert "this is the course's own notebook" in own_or_outdated("lab-1")
    copy = course / "my-work" / "workshop" / "lab-1.ipynb"
    copy.write_text('{"cells": [], "name": "mine"}\n')
    lab.write_text('{"cells": [{"cell_type": "markdown", "source": "newer"}]}\n')
    monkeypatch.chdir(copy.parent)
    assert "Rename yours, and `make workshop` brings it." in own_or_outdated("lab-1")


def test_a_process_works_on_one_chapter():
    chapter("00")
    chapter("04")
    assert os.getpid() not in [owner.pid for owner in kernels_of("00-start-here")]
    assert os.getpid() in [owner.pid for owner in kernels_of("04-crash-points")]


def test_a_machine_that_is_not_ready_shows_the_findings(monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "<gone>"))
    monkeypatch.setenv("PATH", str(tmp_path))
    ready = chapter("00")
    assert "not ready" in ready.line
    assert "<gone>" in repr(ready)
    assert "&lt;gone&gt;" in ready._repr_markdown_()


def test_a_cluster_of_another_notebook_is_named(monkeypatch):
    """A process that bears the marks of a cluster stands for one; its owner is the process above this one."""
    other = Owner.of(os.getppid())
    marks = [f"-Dexactly_once.owner={other.pid}:{other.start}", "-Dexactly_once.lease=of-a-test"]
    code = "print(flush=True); input()"
    driver = subprocess.Popen([sys.executable, "-c", code, *marks], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        driver.stdout.readline()
        monkeypatch.setenv("EXACTLY_ONCE_LEASE", "of-a-test")
        told = repr(chapter("00"))
        assert f"process {other.pid}" in told
        assert "cluster(take_over=True)" in told
        monkeypatch.setenv("EXACTLY_ONCE_LEASE", "another")
        assert "in use" not in repr(chapter("00"))
    finally:
        driver.communicate(b"\n")


def test_the_shapes_that_are_started_are_the_ones_that_the_chapters_ask_for():
    asked = {}
    for path in NOTEBOOKS:
        name, source = path.stem, "\n".join(code(read(path)))
        if found := re.search(r"\bcluster\((?:slots=(\d+))?\)|from exactly_once.course import doctor", source):
            asked[name[:2]] = int(found.group(1) or 2)
        elif "kill_the_leader(" in source:  # it starts the cluster itself
            asked[name[:2]] = 2
    assert asked == SLOTS


def error_of(code):
    """Run code in a kernel in which a chapter was set up, and return the lines of the error that it shows."""
    setup = 'from exactly_once.course.chapter import chapter\nchapter("00-start-here")'
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(setup), nbformat.v4.new_code_cell(code)])
    with pytest.raises(CellExecutionError):
        NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    (shown,) = [output for output in notebook.cells[1].outputs if output.output_type == "error"]
    return shown.traceback


@pytest.mark.not_by_day
def test_errors_of_the_course_are_shown_as_one_sentence():
    assert error_of('from exactly_once.faults import FaultPlan\nFaultPlan.crash("Q")') == [
        "BadInput: the crash point is 'Q'; it can be A, B, C, D, E."
    ]


@pytest.mark.not_by_day
def test_other_errors_keep_their_traceback():
    assert len("\n".join(error_of("1 / 0")).splitlines()) > 3


@pytest.mark.not_by_day
def test_a_stuck_handler_shows_where_the_learners_code_was():
    code = (
        "from exactly_once import simulate\nfrom exactly_once.sandbox.pool import call\n"
        "def endless(node):\n    while True:\n        pass\n"
        "call(simulate, endless, seconds=1.0)"
    )
    told = "\n".join(error_of(code))
    assert told.startswith("HandlerStuck: ")
    assert "endless" in told
