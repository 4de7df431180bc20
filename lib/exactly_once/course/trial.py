"""Learners' answers at work, in the sandbox's child process, where they can do no harm."""

from ..faults import FaultPlan
from ..node.live import checked_handler
from ..node.parcel import pack, unpack
from ..simulate import prove_safely, sandbox, simulate

SECONDS = 10.0


def proved(handler, rule, job, seconds=SECONDS, **bounds):
    """Return the `Proof` of a learner's handler under an invariant, `rule`; `bounds` go to `prove`.

    Raises `CourseError` for code that does not come to an end within `seconds`, or cannot be explored.
    """
    return prove_safely(handler, invariant=rule, job=job, seconds=seconds, **bounds)


def calm(handler, job, seconds=5.0):
    """Return the `Run` of a learner's handler when nothing goes wrong. Raises as `proved` does."""
    return sandbox.call(_calm, pack(checked_handler(handler)), job, seconds=seconds)


def answers(function, arguments, seconds=5.0):
    """Return what a learner's function answers to each of `arguments`: (True, answer) or (False, what it raised)."""
    return sandbox.call(_answers, pack(function), list(arguments), seconds=seconds)


def _calm(parcel, job):
    return simulate(unpack(parcel), FaultPlan(), job)


def _answers(parcel, arguments):
    function = unpack(parcel)
    return [_answer(function, argument) for argument in arguments]


def _answer(function, argument):
    try:
        return True, function(argument)
    except Exception as why:  # noqa: BLE001 - whatever a learner's code raises is shown to the learner
        return False, f"{type(why).__name__}: {why}"
