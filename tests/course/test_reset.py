"""*Reset this chapter*: the notebook comes back, the learner's version is never lost, clusters stop."""

import os
import subprocess
import sys

import pytest

from exactly_once.course import kernels_of, reset_button
from exactly_once.spark.cluster.processes import is_running, our_processes

from .conftest import reset, run_git

NAME = "98-only-for-tests"


@pytest.fixture
def notebook(course):
    return course / "notebooks" / f"{NAME}.ipynb"


def kept(course):
    folder = course / "my-work"
    return sorted(path.read_text() for path in folder.glob("*.ipynb")) if folder.exists() else []


def test_the_notebook_comes_back_and_the_learners_version_is_kept(course, notebook):
    original = notebook.read_text()
    notebook.write_text("mine")
    told = reset("98")
    assert notebook.read_text() == original
    assert kept(course) == ["mine"]
    assert "Your version is kept: my-work/20" in told
    assert "Reload Notebook from Disk" in told
    assert run_git(course, "status", "--porcelain") == ""


def test_git_without_the_chapter_leaves_the_notebook_alone(course):
    extra = course / "notebooks" / "99-new.ipynb"
    extra.write_text("mine")
    assert "stays as it is: git has no version" in reset("99")
    assert extra.read_text() == "mine"


def test_no_git_leaves_the_notebook_alone(course, notebook, monkeypatch):
    notebook.write_text("mine")
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert "there is no git on this machine" in reset("98")
    assert notebook.read_text() == "mine"
    assert kept(course) == []


def test_when_nothing_can_be_kept_nothing_is_changed(course, notebook):
    notebook.write_text("mine")
    (course / "my-work").write_text("a file where the folder should be")
    assert "nothing was changed" in reset("98")
    assert notebook.read_text() == "mine"


def test_a_notebook_that_cannot_be_written_stays_as_it_was(course, notebook, monkeypatch):
    notebook.write_text("mine")

    def full(*paths):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert "No space left on device" in reset("98")
    assert notebook.read_text() == "mine"
    assert kept(course) == ["mine"]


def test_the_button_asks_first(course, notebook):
    notebook.write_text("mine")
    button = reset_button("98")
    assert button.question.layout.display == "none"
    button.ask.click()
    assert button.question.layout.display == "flex"
    assert button.ask.disabled
    assert "Save first" in button.says.value
    button.no.click()
    assert (button.question.layout.display, button.says.value) == ("none", "")
    assert notebook.read_text() == "mine"
    button.ask.click()
    button.yes.click()
    assert "Your version is kept" in button.says.value
    assert not button.ask.disabled
    assert notebook.read_text() != "mine"


WORKING = f"""
from exactly_once.course.chapters import note_kernel
from exactly_once.spark import cluster
note_kernel({NAME!r})
cluster()
print("ready", flush=True)
time.sleep(300)
"""


@pytest.mark.slow
@pytest.mark.cluster
def test_the_cluster_of_the_chapters_kernel_is_stopped_from_outside(course, monkeypatch):
    monkeypatch.setenv("EXACTLY_ONCE_LEASE", f"reset-test-{os.getpid()}")
    kernel = subprocess.Popen([sys.executable, "-c", WORKING], stdout=subprocess.PIPE, text=True)
    try:
        assert kernel.stdout.readline().strip() == "ready"
        processes = our_processes(kernel.pid)
        assert len(processes) >= 3
        assert kernel.pid in [owner.pid for owner in kernels_of(NAME)]
        assert "Its cluster is stopped" in reset(NAME)
        assert [process for process in processes if is_running(process)] == []
        assert kernel.poll() is None
    finally:
        kernel.kill()
        kernel.wait()
        kernel.stdout.close()
