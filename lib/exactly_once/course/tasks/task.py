"""What an exercise is made of."""

from collections.abc import Callable
from dataclasses import dataclass

TIERS = ("warm-up", "task", "challenge")


@dataclass(frozen=True)
class Task:
    """One exercise.

    `title` in a few words; `answer` is what the notebook calls the answer; `show(answer)` returns a `Picture`;
    `check(answer)` a `Reply`; both may raise `CourseError` for an answer of another form. `hints` go from a nudge to
    nearly the solution. `tier` is "warm-up", "task", or "challenge": a specification and a check that tries to break
    the answer, and no skeleton.
    """

    title: str
    answer: str
    show: Callable
    check: Callable
    hints: tuple
    tier: str = "task"
