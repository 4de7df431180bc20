"""Learners' code in the warm child process."""

from exactly_once.sandbox.pool import call, verdicts_on


def sandboxed(handler, plan=None, job=None, seconds=60.0):  # a busy machine is no failure
    """Return the `Verdict` on a simulated run of a handler in the child process."""
    (verdict,) = call(verdicts_on, handler, [plan], job, seconds=seconds)
    return verdict
