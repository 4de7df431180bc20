"""Handlers that do not do the same in every process: the order of a set, hash() and id() are others in each.

A small part of the search is made in two processes with different hash seeds, and what the lives did is compared.
"""

import os
from typing import NamedTuple

from ..explore.model.automaton import Nondeterministic
from ..explore.prover import Prover
from ..explore.search.search import Limits
from .pool import HASH_SEEDS, call

STATES = 200
SECONDS = 2.0
PATIENCE_SECONDS = 10.0


class Witness(NamedTuple):
    """What lives did in a small part of the search, in a process with this hash seed.

    `steps` are the steps that they asked for, `starts` the first of each node, `after` tells by each step's number
    which came next, by the result: their order is that in which the search met them, another in each process.
    """

    seed: str
    steps: list
    starts: list
    after: list


def compare(witness, handlers_of, arguments, job, bounds):
    """Raise `Nondeterministic` when lives do something else in a process with another hash seed.

    `witness` is what the one process reported; `handlers_of(*arguments)` returns the handlers in the other one. Both
    are followed from the starts on, as long as the results are the same.
    """
    here = Witness(*witness)
    other_seed = next(one for one in HASH_SEEDS if one != here.seed)
    found = call(witnessed, handlers_of, arguments, job, bounds, seconds=PATIENCE_SECONDS, seed=other_seed)
    there = Witness(*found)
    pairs = list(zip(here.starts, there.starts, strict=True))
    seen = set(pairs)
    for one, other in pairs:  # which grow meanwhile
        if here.steps[one] != there.steps[other]:
            raise Nondeterministic(
                f"The handler is not deterministic: what was {_in_words(here.steps[one])} was "
                f"{_in_words(there.steps[other])} in a process with another hash seed. The order of a set, hash() "
                "and id() differ from process to process: sort the set; what is to be left to chance is asked of "
                "node.choose."
            )
        for result, after in here.after[one].items():
            pair = after, there.after[other].get(result)
            if pair[1] is not None and pair not in seen:
                seen.add(pair)
                pairs.append(pair)


def witnessed(handlers_of, arguments, job, bounds):
    """Return what a `Witness` has, of this process."""
    limits = Limits(STATES, SECONDS)
    prover = Prover(handlers_of(*arguments), job, bounds, limits, None, _anything, symmetric=False, merge=True)
    try:
        prover.search().in_order(limits)
        contents, automaton = prover.contents, prover.automaton
        steps = [
            (state.kind, state.name, contents.operations[state.operation][1:] if state.operation >= 0 else ())
            for state in automaton.states
        ]
        after = [{} for _ in steps]
        for (before, result), found in automaton.arrows.items():
            of_store = automaton.states[before].kind == "store"
            after[before][str(contents.results[result] if of_store else result)] = found
        return os.environ.get("PYTHONHASHSEED"), steps, list(automaton.starts), after
    finally:
        prover.close()


def _anything(view):
    return True


def _in_words(step):
    kind, name, operation = step
    return " ".join([name or kind, *(operation[-1:] if kind == "store" else ())])
