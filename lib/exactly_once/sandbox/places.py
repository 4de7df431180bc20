"""Find, in the child process, the places where a fault can strike a learner's handler, and its effect there."""

from ..node.pickling import pickle_handler, unpickle_handler
from ..simulate import simulate
from ..simulate.places import places
from ..verdict import ideal_outcomes, judge
from .pool import call


def places_safely(handler, job, seconds=5.0):
    """Return `places` of a handler. Raises as `sandboxed` does."""
    return call(_places, pickle_handler(handler), job, seconds=seconds)


def judge_safely(handler, plans, job, seconds=5.0):
    """Return the verdicts of runs under several fault plans, in one call of the child process."""
    return call(_judge_all, pickle_handler(handler), plans, job, seconds=seconds)


def _places(pickled, job):
    return places(unpickle_handler(pickled), job)


def _judge_all(pickled, plans, job):
    handler, ideals, verdicts = unpickle_handler(pickled), None, []
    for plan in plans:
        run = simulate(handler, plan, job)
        ideals = ideals or (None if run.error else ideal_outcomes(handler, job))
        verdicts.append(judge(run, handler, ideals))
    return verdicts
