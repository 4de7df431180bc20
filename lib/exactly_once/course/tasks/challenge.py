"""Challenges: a specification, no skeleton, and a check that looks for the simplest schedule against the answer."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from ... import show as drawing
from ...errors import what_failed
from .reply import right, unsolved, wrong
from .run_answer import calm, calm_picture, proved

FAULTS = {  # what may strike once, anywhere, from the easiest to the hardest to stand
    "Even when nothing goes wrong": {"crashes": 0},
    "One crash": {"crashes": 1},
    "One lost request": {"crashes": 0, "lost_requests": 1},
    "One lost reply": {"crashes": 0, "lost_replies": 1},
    "One request that arrives twice": {"crashes": 0, "duplicates": 1},
    "One late request": {"crashes": 0, "late_requests": 1},
}


@dataclass(frozen=True)
class Challenge:
    """One exercise whose answer is a handler, which is proved under every one of `faults` with every one of `jobs`.

    `rule(view, job)` is the specification, an invariant whose source the learner reads; `objection(view, job)` says
    what is wrong where it does not hold; the rest as in `Task`. The answer is met with the simplest schedule of the
    first kind of fault that breaks it.
    """

    title: str
    answer: str
    rule: Callable
    objection: Callable
    jobs: tuple
    praise: str
    hints: tuple
    faults: tuple = tuple(FAULTS)
    tier: str = "challenge"

    def check(self, handler):
        """Prove the handler under each kind of fault, each time with every job."""
        if handler is ...:
            return unsolved("your handler")
        run = calm(handler, self.jobs[0])
        if run.error:
            return wrong(f"The handler itself failed: {what_failed(run.error)}", run, handler, traceback=run.error)
        if not any(event.kind == "send" for event in run.trace):
            return unsolved("the body of your handler")
        states = 0
        for fault in self.faults:
            for job in self.jobs:
                proof = self.proved(handler, fault, job)
                if (found := proof.counterexample) is not None:
                    with_job = f", with {job}" if job != self.jobs[0] else ""
                    said = found.sentence[:1].lower() + found.sentence[1:]
                    return wrong(f"{fault}{with_job}: {said}", found, handler)
                if not proof.exhausted:
                    return wrong(f"Not proved: {proof.stopped}. Write it with fewer steps.")
                states += proof.states
        return right(
            f"{self.praise} Proved for each of {len(self.faults) - 1} kinds of fault, one anywhere in a run, and for "
            f"{len(self.jobs)} jobs ({states:,} states)."
        )

    def proved(self, handler, fault, job):
        """Return the `Proof` of the handler under one of `FAULTS`, with one job."""
        return proved(handler, Specified(self.rule, self.objection, job), job, **FAULTS[fault])

    def show(self, handler):
        """Draw what the handler does in a calm run, at hour 2; without one, the specification as an invariant."""
        if handler is not ...:
            return calm_picture(handler, self.jobs[0], 2)
        html = f"<p>{escape(inspect.getdoc(self.rule))}</p>{drawing.code_html(self.rule, remark=False)}"
        return drawing.Picture(html, text=inspect.getsource(self.rule))


@dataclass(frozen=True)
class Specified:
    """A rule that knows its job, as an invariant that another process can have."""

    rule: Callable
    objection: Callable
    job: object

    def __call__(self, view):
        return self.rule(view, self.job) or self.objection(view, self.job)
