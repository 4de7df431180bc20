"""Exercise 04f: output and counter right in the end, in two systems, after any single fault."""

import functools

from ...pipeline import Job, Window
from ...stores.codec import describe
from ..kinds.challenge import challenge

SYSTEM, CELL = "accounts", "counter"


@functools.cache
def wanted(job):
    """Return (averages, counted): each hour's average, and how many windows are above the threshold."""
    window, averages, counted = Window(), [], 0
    for readings in zip(*job.inputs().values(), strict=True):
        window.push(readings)
        window.trim(job.duration)
        averages.append(window.average())
        counted += len(window) > job.threshold
    return averages, counted


def both_right(view, job):
    """In the end the output holds each hour's average once and in order, and the counter is right."""
    averages, counted = wanted(job)
    return not view.done or (list(view.outputs) == averages and in_accounts(view) == counted)


def in_accounts(view):
    """Return the counter, or 0 where nothing was written to it."""
    try:
        return view.look(SYSTEM, CELL, "cell") or 0
    except KeyError:  # no run of this handler asks for the system
        return 0


def objection(view, job):
    """Return a sentence on the mistake in the outcome."""
    (averages, counted), outputs = wanted(job), list(view.outputs)
    for hour, average in enumerate(averages, 1):
        if hour > len(outputs):
            return f"the average of hour {hour} is missing from the output"
        if outputs[hour - 1] != average:
            if outputs[hour - 1] in averages[: hour - 1]:
                return f"the average of hour {averages.index(outputs[hour - 1]) + 1} is in the output twice"
            return f"at the place of hour {hour} the output does not hold the average of this hour"
    if len(outputs) > len(averages):
        return f"the output holds more than the {len(averages)} averages"
    return f"the counter is {describe(in_accounts(view))} and should be {counted}"


TASK = challenge(
    answer="exact",
    rule=both_right,
    objection=objection,
    jobs=(Job(items=2, duration=2, threshold=1), Job(items=4, duration=2, threshold=2)),
    praise="Output and counter are right in the end, in two systems, without a transaction across them.",
)
