"""Shared code of gaps: a calm run of the learner's lines. Only chapter 07 uses it, until its items are data."""

from ...errors import CourseError
from ...faults import FaultPlan
from ...simulate import simulate
from ...verdict.verdict import endless, step_limit
from .run_answer import called


def calm(programs):
    """Return the `Run` of the learner's lines when nothing goes wrong. Raises as `called` does."""
    try:
        return called(simulate, programs, FaultPlan())
    except CourseError as why:
        if str(why) == endless(step_limit(programs if isinstance(programs, list) else [programs])):
            raise CourseError("Your lines take step after step, and do not come to an end.") from None
        raise
