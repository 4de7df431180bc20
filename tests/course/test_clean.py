"""Updates reach the learner's copies without harming them."""

import json

import pytest

from exactly_once import CourseError
from exactly_once.course import hand_out, own_or_outdated

from .conftest import reset, run_git

NAME = "notebooks/98-only-for-tests.ipynb"


def written(*sources, outputs=()):
    """Return the text of a notebook with these code cells."""
    cells = [
        {"cell_type": "code", "metadata": {}, "execution_count": None, "source": [source], "outputs": list(outputs)}
        for source in sources
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


OUTPUT = {"output_type": "stream", "name": "stdout", "text": ["a result\n"]}


@pytest.fixture
def copy(course):
    """The learner's copy of a notebook that was handed out."""
    (course / NAME).write_text(written("one = 1"))
    assert hand_out() == []
    return course / "my-work" / NAME


def kept(course):
    return sorted(path.read_text() for path in (course / "my-work").glob("20*"))


def test_an_update_arrives_in_the_unchanged_copy(course, copy):
    (course / NAME).write_text(written("two = 2"))
    assert hand_out() == []
    assert copy.read_text() == written("two = 2")
    assert kept(course) == []


def test_an_update_arrives_in_a_copy_that_was_run_and_the_run_is_kept(course, copy):
    ran = written("one = 1", "", outputs=[OUTPUT])  # with an empty cell, by Shift-Enter in the last one
    copy.write_text(ran)
    assert hand_out() == []
    assert copy.read_text() == ran
    (course / NAME).write_text(written("two = 2", outputs=[OUTPUT]))
    (said,) = hand_out()
    assert "98-only-for-tests.ipynb is renewed; yours, as it was run, is kept: 20" in said
    assert "two = 2" in copy.read_text()
    assert "a result" not in copy.read_text(), "outputs of the course's own notebook are not handed out"
    assert kept(course) == [ran]
    assert hand_out() == []


def test_an_update_never_overwrites_a_changed_copy_and_is_told_until_the_chapter_is_reset(course, copy):
    mine = written("one = 1", "my_own = 7")
    copy.write_text(mine)
    assert hand_out() == []
    (course / NAME).write_text(written("two = 2"))
    run_git(course, "commit", "-qam", "An update")
    for _ in range(2):
        assert hand_out() == [
            "98-only-for-tests has a newer version; yours stays as it is. *Reset this chapter*, at its end, brings "
            "the new one."
        ]
        assert copy.read_text() == mine
    assert "Your version is kept: my-work/20" in reset("98")
    assert copy.read_text() == written("two = 2")
    assert kept(course) == [mine]
    assert hand_out() == []
    assert run_git(course, "status", "--porcelain") == ""


def test_a_copy_that_the_learner_deleted_comes_again(course, copy):
    copy.unlink()
    assert hand_out() == []
    assert copy.read_text() == written("one = 1")


def test_a_notebook_in_disorder_is_told(course):
    (course / NAME).write_text("{ no notebook")
    with pytest.raises(CourseError, match=r"98-only-for-tests.ipynb is no notebook. Download the course"):
        hand_out()


def test_a_chapter_says_when_it_is_the_courses_own_or_an_old_copy(course, copy, monkeypatch):
    assert own_or_outdated("98-only-for-tests") is None
    monkeypatch.chdir(copy.parent)
    assert own_or_outdated("98-only-for-tests") is None
    (course / NAME).write_text(written("two = 2"))
    assert "a newer version of this notebook" in own_or_outdated("98-only-for-tests")
    monkeypatch.chdir(course / "notebooks")
    told = own_or_outdated("98-only-for-tests")
    assert "the course's own notebook" in told
    assert "[98-only-for-tests.ipynb](../my-work/notebooks/98-only-for-tests.ipynb)" in told
    assert copy.read_text() == written("two = 2")
