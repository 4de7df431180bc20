"""What gaps of chapter 09 share: a proof of the learner's lines, and the words for what breaks them."""

from ....pipeline import Job
from ...tasks.reply import wrong
from ...tasks.run_answer import proved

JOB = Job(items=1)


def refused(handlers, rule, harm, **bounds):
    """Explore handlers; return None if all is right, or the `Reply` with the schedule that breaks them.

    `harm` is what to say before what is wrong. A life that waits for another breaks them, too.
    """
    bounds = {"crashes": 0, "nodes": None} | bounds
    proof = proved(handlers, rule, JOB, lock_free=True, **bounds)
    if proof.counterexample is not None:
        return wrong(f"{harm}{proof.counterexample.sentence}", proof.counterexample, handlers)
    if not proof.ok:
        return wrong(f"{harm}Not all schedules could be explored: {proof.stopped}.")
    return None
