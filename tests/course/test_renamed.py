"""Predictions and a chapter that were renamed: what is kept under the old names counts under the new ones."""

import json

import pytest

from exactly_once.course import chapter_named, counts, judge, keep, kept
from tests.notebooks.reading import asked

SAID = {"hot–hot": "lock-free"}


def test_a_learners_work_of_the_old_form_counts(mine):
    mine.mkdir()
    (mine / "predictions.json").write_text(
        json.dumps({"10-mutants": {"said": SAID, "first": SAID, "since": "2026-01-01", "right": True}})
    )
    assert kept("11-mutants") == kept("10-mutants") == SAID
    assert counts()["11"][1:] == (1, 1)


@pytest.mark.parametrize("name", ["articles", "blocked", "mutants", "waits", "years"])
def test_an_old_copy_that_is_run_again_counts_for_the_new_chapter(name):
    keep(f"10-{name}", {"": "a year"})
    judge(f"10-{name}", lambda answer: True)
    assert kept(f"11-{name}") == {"": "a year"}
    assert counts()["11"][1:] == (1, 1)
    assert f"11-{name}" in asked("predict")
    assert chapter_named("10-concurrent-exactly-once") == "10-the-lock-free-handler"
