"""Handlers that do not do the same in every process: the order of a set, hash() and id() are others in each.

A small part of the search is made in two processes with different hash seeds, and what the lives did is compared.
"""

import os

from ..explore.model.automaton import Nondeterministic
from ..explore.prover import Prover
from ..explore.search.search import Limits
from .pool import HASH_SEEDS, call

STATES = 200
SECONDS = 2.0
PATIENCE_SECONDS = 10.0


def compare(witness, handlers_of, arguments, job, bounds):
    """Raise `Nondeterministic` when lives do something else in a process with another hash seed.

    `witness` is what the one process reported; `handlers_of(*arguments)` returns the handlers in the other one.
    """
    seed, here = witness
    other_seed = next(one for one in HASH_SEEDS if one != seed)
    _, there = call(witnessed, handlers_of, arguments, job, bounds, seconds=PATIENCE_SECONDS, seed=other_seed)
    for one, other in zip(here, there, strict=False):
        if one != other:
            raise Nondeterministic(
                f"The handler is not deterministic: what was {_in_words(one)} was {_in_words(other)} in a process "
                "with another hash seed. The order of a set, hash() and id() differ from process to process: sort "
                "the set; what is to be left to chance is asked of node.choose."
            )


def witnessed(handlers_of, arguments, job, bounds):
    """Return (this process's hash seed, what lives do in a small part of the search, the step of each local
    state).
    """
    limits = Limits(STATES, SECONDS)
    prover = Prover(handlers_of(*arguments), job, bounds, limits, None, _anything, symmetric=False, merge=True)
    try:
        prover.search().in_order(limits)
        operations = prover.contents.operations
        return os.environ.get("PYTHONHASHSEED"), [
            (state.kind, state.name, operations[state.operation][1:] if state.operation >= 0 else ())
            for state in prover.automaton.states
        ]
    finally:
        prover.close()


def _anything(view):
    return True


def _in_words(step):
    kind, name, operation = step
    return " ".join([name or kind, *(operation[-1:] if kind == "store" else ())])
