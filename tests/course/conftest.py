"""A course of two chapters in a clone of its own, so that no test touches the learner's."""

import html
import importlib
import subprocess

import pytest

from exactly_once.course import reset_button


def run_git(folder, *arguments):
    """Run git as nobody in particular, and return its output."""
    who = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


def reset(chapter):
    """Press the button that brings a chapter's notebook back, and say yes; return what it says."""
    button = reset_button(chapter)
    button.ask.click()
    button.yes.click()
    return html.unescape(button.says.value)


@pytest.fixture(autouse=True)
def mine(tmp_path, monkeypatch):
    """The folder that stands for `my-work/`, so that no test touches anybody's own."""
    monkeypatch.setenv("EXACTLY_ONCE_WORK", str(tmp_path / "mine"))
    return tmp_path / "mine"


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A folder with two committed notebooks, taken for the course's root."""
    (tmp_path / "notebooks").mkdir()
    for name in ("00-first", "98-only-for-tests"):
        (tmp_path / "notebooks" / f"{name}.ipynb").write_text(f'{{"cells": [], "name": "{name}"}}\n')
    run_git(tmp_path, "init", "-q")
    run_git(tmp_path, "add", ".")
    run_git(tmp_path, "commit", "-q", "-m", "The chapters")
    for name in ("chapter", "chapters", "copies", "reset", "workshop"):
        monkeypatch.setattr(importlib.import_module(f"exactly_once.course.{name}"), "ROOT", tmp_path)
    monkeypatch.setenv("EXACTLY_ONCE_WORK", str(tmp_path / "my-work"))
    return tmp_path
