"""Shared code of exercises 04c and 04d: explore the learner's handler under every crash and a rule."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ... import show as drawing
from ...handlers import at_least_once
from ...node.program import checked_handler
from ...pipeline import Job
from ...pipeline.window import spans
from ...simulate import simulate
from ...stores.codec import decode, encode
from ..kinds.kind import nothing_yet
from ..kinds.proved import Proved, World
from ..kinds.reply import wrong

JOB = Job(items=4, duration=2, threshold=3)
UNCOUNTED = Job(items=4, duration=3, threshold=6)  # no window is above the threshold


@functools.cache
def wanted(job=JOB):
    """Return (outputs, counter): the chapter's handler's result without a fault."""
    outcome = simulate(at_least_once, job=job).outcome
    return tuple(decode(text) for text in outcome.outputs), outcome.counter


def averages_of(hours):
    """Name the averages of some hours, with the verb: "the averages of hours 2–3 are"."""
    hours = list(hours)
    return f"the average of {spans(hours)} is" if len(hours) == 1 else f"the averages of {spans(hours)} are"


def falls_short(handler, run):
    """Return the reply to a handler with a wrong outcome when nothing goes wrong, or None."""
    outputs, counter = wanted()
    left = tuple(run.outcome.outputs)
    if left == tuple(map(encode, outputs)) and run.outcome.counter == counter:
        return None
    said = f"{len(left)} {'average' if len(left) == 1 else 'averages'} and the counter {run.outcome.counter}"
    should = f"the {len(outputs)} averages of the hours and the counter {counter}"
    if len(left) == len(outputs) and run.outcome.counter == counter:
        said = "averages that are not those of the hours"
    return wrong(
        f"Even when nothing goes wrong the handler leaves {said}; it should leave {should}.",
        run,
        handler,
        drawing.spacetime(run, 2),
    )


@dataclass(frozen=True)
class RightOutcome:
    """An invariant of the view alone: `rule(view, **needed)`, given the right values for `job` of those in `needs`.

    `needs` holds "outputs", "counter" or both. Their values are computed at the first view, not at the import.
    """

    rule: Callable[..., Any]
    needs: tuple[str, ...]
    job: Job = JOB

    def __call__(self, view: Any) -> Any:
        right = dict(zip(("outputs", "counter"), wanted(self.job), strict=True))
        return self.rule(view, **{name: right[name] for name in self.needs})


def right_outcome(rule, *needs):
    """Return the `RightOutcome` of a rule."""
    return RightOutcome(rule, needs)


def crashed_anywhere(rule, praise, remains, **declared):
    """Return the task of writing a handler that keeps a rule wherever one crash strikes; `declared` goes to `Kind`.

    `remains(handler)` returns a sentence for the end of the praise: the harm that the rule allows.
    """
    return Proved(
        **declared,
        asks="your handler",
        form="a handler, a function of the node",
        worlds=[
            World(when, checked_handler, replace(rule, job=job), {"crashes": 1}, job)
            for when, job in (("", JOB), ("With a window of 3 hours and a threshold of 6", UNCOUNTED))
        ],
        refuses=falls_short,
        drawn=lambda run: drawing.spacetime(run, 2),
        blank=lambda: nothing_yet("no handler"),
        praise=lambda handler: f"{praise} ({{states}} states, one crash anywhere.) {remains(handler)}",
    )
