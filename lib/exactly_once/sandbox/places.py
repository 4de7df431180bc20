"""Where a fault can strike a learner's handler, and what it does there, found out in the child process."""

from ..node.parcel import pack, unpack
from ..simulate import simulate
from ..simulate.places import places
from ..verdict import ideal_outcomes, judge
from .pool import call


def places_safely(handler, job, seconds=5.0):
    """Return `places` of a handler. Raises as `sandboxed` does."""
    return call(_places, pack(handler), job, seconds=seconds)


def judge_safely(handler, plans, job, seconds=5.0):
    """Return the verdicts of runs under several fault plans, in one call of the child process."""
    return call(_judge_all, pack(handler), plans, job, seconds=seconds)


def _places(parcel, job):
    return places(unpack(parcel), job)


def _judge_all(parcel, plans, job):
    handler, ideals, verdicts = unpack(parcel), None, []
    for plan in plans:
        run = simulate(handler, plan, job)
        ideals = ideals or (None if run.error else ideal_outcomes(handler, job))
        verdicts.append(judge(run, handler, ideals))
    return verdicts
