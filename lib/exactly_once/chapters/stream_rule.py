"""The rule of the handlers that average a stream: each average once and in order, and the counter right."""

import functools
from collections.abc import Sequence
from typing import Any

from ..faults import FaultPlan
from ..handlers import at_least_once
from ..pipeline import Job, spans
from ..simulate import simulate
from ..stores.codec import decode, describe
from ..verdict.view import View


@functools.cache
def wanted(job: Job) -> tuple[list[Any], int]:
    """Return (the averages in order, the counter) of a run of the job in which nothing goes wrong."""
    outcome = simulate(at_least_once, FaultPlan(), job).outcome
    return [decode(value) for value in outcome.outputs], outcome.counter


def misplaced(averages: list[Any], outputs: Sequence[Any], done: bool) -> str:
    """Return a sentence on the first average in the output that is not that of its place, or not there, or ""."""
    for hour, value in enumerate(outputs, 1):
        if value in averages[: hour - 1]:
            return f"the average of hour {averages.index(value) + 1} is in the output more than once"
        if value in averages[hour:]:
            return f"the average of hour {hour} is missing from the output, and a later average is there"
        if value not in averages:
            return f"the average of hour {hour} is wrong: it is {describe(value)}"
    return lost([*range(len(outputs) + 1, len(averages) + 1)]) if done and len(outputs) < len(averages) else ""


def lost(hours: Sequence[int]) -> str:
    """Return the sentence on the hours, given as a list of numbers, whose averages are missing."""
    which, verb = ("averages", "are") if len(hours) > 1 else ("average", "is")
    return f"the {which} of {spans(hours)} {verb} missing from the output"


def once_each(view: View, job: Job, counted: bool = True) -> bool | str:
    """Tell that each average is in the output once and in order, and in the end all; with `counted` the counter, too.

    Returns True, or a sentence on what is wrong.
    """
    averages, counter = wanted(job)
    if said := misplaced(averages, view.outputs, view.done):
        return said
    if counted and (view.counter > counter or (view.done and view.counter != counter)):
        return f"the counter is {view.counter} and should be {counter}"
    return True


def told(view: View) -> str:
    """Return what is in the output, and the counter, as a sentence."""
    found = ", ".join(f"{float(value):g}" for value in view.outputs) or "nothing"
    return f"In the output: {found}. The counter: {view.counter}."
