"""Exercises that fit no kind: each is a program of its own."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """One exercise.

    `answer` is what the notebook calls the answer; `show(answer)` returns a `Picture`; `check(answer)` a `Reply`;
    both may raise `CourseError` for an answer of another form. Title and hints stand in `solutions/`. `tier` is as
    in `Kind`.
    """

    answer: str
    show: Callable
    check: Callable
    tier: str = "task"
