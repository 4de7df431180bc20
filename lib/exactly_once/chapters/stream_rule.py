"""The invariant of the chapters' handlers for their scenes: each average once and in order, and the counter right."""

import functools
from typing import Any

from ..explore.search.properties import View
from ..faults import FaultPlan
from ..handlers import at_least_once
from ..pipeline import Job
from ..simulate import simulate
from ..stores.codec import decode


@functools.cache
def wanted(job: Job) -> tuple[list[Any], int]:
    """Return (the averages in order, the counter) of a run of the job in which nothing goes wrong."""
    outcome = simulate(at_least_once, FaultPlan(), job).outcome
    return [decode(value) for value in outcome.outputs], outcome.counter


def once_each(view: View, job: Job, counted: bool = True) -> bool | str:
    """Tell that each average is in the output once and in order, and in the end all; with `counted` the counter, too.

    Returns True, or a sentence on what is wrong.
    """
    (averages, counter), found = wanted(job), list(view.outputs)
    for hour, value in enumerate(found, 1):
        if value in found[: hour - 1]:
            return f"the average of hour {averages.index(value) + 1} is in the output twice"
        if value != averages[hour - 1]:
            return f"the average at the place of hour {hour} is not that of this hour"
    if view.done and len(found) < len(averages):
        return f"the average of hour {len(found) + 1} is missing"
    if counted and (view.counter > counter or (view.done and view.counter != counter)):
        return f"the counter is {view.counter} and should be {counter}"
    return True


def told(view: View) -> str:
    """Return what is in the output, and the counter, as a sentence."""
    found = ", ".join(f"{float(value):g}" for value in view.outputs) or "nothing"
    return f"In the output: {found}. The counter: {view.counter}."
