"""Challenges: a specification, no skeleton, and a check that looks for the simplest schedule against the answer."""

from collections.abc import Callable, Sequence
from typing import Any

from ... import show as drawing
from ...node.program import checked_handler
from ...pipeline import Job
from .kind import Specified
from .proved import Proved, World

ONE_FAULT = {  # the faults that may strike once, anywhere, from the easiest to the hardest
    "One crash": {"crashes": 1},
    "One lost request": {"lost_requests": 1},
    "One lost reply": {"lost_replies": 1},
    "One request that arrives twice": {"duplicates": 1},
    "One late request": {"late_requests": 1},
}
FAULTS: dict[str, dict[str, int]] = {"Even when nothing goes wrong": {}} | ONE_FAULT


def challenge(
    rule: Callable[[Any, Job], bool],
    objection: Callable[[Any, Job], str],
    jobs: Sequence[Job],
    praise: str,
    kind: type[Proved] = Proved,
    **declared: Any,
) -> Proved:
    """Return the task of a `kind`, of a handler that is proved under every one of `FAULTS` with every one of `jobs`.

    `rule(view, job)` is the specification, an invariant whose source the learner reads; `objection(view, job)` says
    what is wrong where it does not hold; `declared` as in `Proved`. The answer is met with the simplest schedule of
    the first kind of fault that breaks it.
    """

    def world(fault: str, job: Job) -> World:
        when = fault if job == jobs[0] else f"{fault}, with {job}"
        return World(when, checked_handler, Specified(rule, objection, job), FAULTS[fault], job)

    return kind(
        **declared,
        asks="your handler",
        form="a handler, a function of the node",
        worlds=[world(fault, job) for fault in FAULTS for job in jobs],
        drawn=lambda run: drawing.spacetime(run, 2),
        praise=f"{praise} Proved for each of {len(FAULTS) - 1} kinds of fault, one anywhere in a run, and for "
        f"{len(jobs)} jobs ({{states}} states).",
    )
