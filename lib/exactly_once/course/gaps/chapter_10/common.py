"""What gaps of chapter 10 share: a proof of the learner's lines, and the words for what breaks them."""

from ...tasks.reply import wrong
from ...tasks.run_answer import proved


def refused(programs, rule, harm, **bounds):
    """Explore the nodes' programs; return None if all is right, or the `Reply` with the schedule that breaks them.

    `harm` is what to say before what is wrong.
    """
    proof = proved(programs, rule, None, **({"crashes": 0} | bounds))
    if proof.counterexample is not None:
        return wrong(f"{harm}{proof.counterexample.sentence}", proof.counterexample, programs)
    if not proof.ok:
        return wrong(f"{harm}Not all schedules could be explored: {proof.stopped}.")
    return None
