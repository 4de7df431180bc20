"""Find handlers that act differently in another process: each has its own order of a set, hash() and id().

Two processes with different hash seeds perform a small part of the search, and the steps of the incarnations are
compared. Under two seeds a set of two words has one order in half of all cases; where code may make sets, there are
more.
"""

import contextlib
import dis
import functools
import gc
import os
import sys
import types
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from ..explore import Case, Limits, Prover
from ..explore.model.automaton import Nondeterministic
from ..node.program import is_learners
from .pool import HASH_SEEDS, MORE_SEEDS, call, warm_up

STATES = 200
MORE = 4  # further processes in which a handler is tried that may make sets
MAKE_SETS = {"BUILD_SET", "SET_ADD", "SET_UPDATE"}
HASH = {"set", "frozenset", "hash", "id"}
SECONDS = 2.0
PATIENCE_SECONDS = 10.0


class Witness(NamedTuple):
    """The steps of incarnations in a small part of the search, in a process with this hash seed.

    `steps` are the steps that they asked for, `starts` the first step of each node, and `after` maps the number of a
    step and its result to the next step. The order of `steps` is the order of the search, which differs from process
    to process.
    """

    seed: str
    steps: list
    starts: list
    after: list


def compare(
    witness: Any, hashes: bool, handlers_of: Callable[..., Any], arguments: tuple[Any, ...], job: Any, bounds: Any
) -> None:
    """Raise `Nondeterministic` when incarnations do something else in a process with another hash seed.

    `witness` is what the one process reported; `handlers_of(*arguments)` returns the handlers in the other one. Both
    are followed from the starts on, as long as the results are the same. More processes are asked where the steps may
    depend on `hashes`.
    """
    here = Witness(*witness)
    seeds = [one for one in HASH_SEEDS if one != here.seed] + list(MORE_SEEDS[:MORE]) * hashes
    warm_up(seeds)
    for seed in seeds:
        found = call(witnessed, handlers_of, arguments, job, bounds, seconds=PATIENCE_SECONDS, seed=seed)
        _compared(here, Witness(*found))


def _compared(here: Witness, there: Witness) -> None:
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


def witnessed(handlers_of: Callable[..., Any], arguments: tuple[Any, ...], job: Any, bounds: Any) -> tuple[Any, ...]:
    """Return what a `Witness` has, of this process."""
    limits = Limits(STATES, SECONDS)
    case = Case.within(handlers_of(*arguments), job, bounds, invariant=_anything)
    prover = Prover(case, limits, symmetric=False, merge=True)
    try:
        prover.look(prover.search(), "in_order", limits)
        contents, automaton = prover.contents, prover.automaton
        steps = [
            (state.kind, state.name, contents.operations[state.operation][1:] if state.operation >= 0 else ())
            for state in automaton.states
        ]
        after: list[Any] = [{} for _ in steps]
        for (before, result), found in automaton.arrows.items():
            of_store = automaton.states[before].kind == "store"
            after[before][str(contents.results[cast(int, result)] if of_store else result)] = found
        return os.environ.get("PYTHONHASHSEED"), steps, list(automaton.starts), after
    finally:
        prover.close()


def may_hang_on_hashes() -> bool:
    """Tell whether a learner's code in this process makes sets, has some, or asks for hash() or id()."""
    for one in gc.get_objects():
        if type(one) is types.FunctionType and is_learners(one.__code__.co_filename) and not _made_elsewhere(one):
            names = set(one.__code__.co_names)
            held = [value for name, value in one.__globals__.items() if name in names]
            held += [one.__defaults__, one.__kwdefaults__, one.__dict__]
            with contextlib.suppress(ValueError):  # a variable around it that has no value yet
                held += [cell.cell_contents for cell in one.__closure__ or ()]
            if _hashes(one.__code__) or any(map(_has_sets, held)):
                return True
    return False


def _made_elsewhere(function: types.FunctionType) -> bool:
    """Tell whether a function was made from a text by a module of Python's or an installed one."""
    made, module = function.__code__.co_filename == "<string>", function.__module__ or ""
    file = getattr(sys.modules.get(module), "__file__", None)
    installed = file is not None and module != "__main__" and not is_learners(file)
    return made and (installed or module.startswith("namedtuple_"))


@functools.cache
def _hashes(code: types.CodeType) -> bool:
    instructions = list(dis.get_instructions(code))
    views = {"keys", "items"} & set(code.co_names) and any(
        one.argrepr in ("&", "|", "-", "^") for one in instructions
    )
    return (
        bool(views)
        or bool(HASH & set(code.co_names))
        or any(one.opname in MAKE_SETS for one in instructions)
        or any(_hashes(const) for const in code.co_consts if isinstance(const, types.CodeType))
    )


def _has_sets(value: object, depth: int = 3) -> bool:
    if isinstance(value, (set, frozenset)):
        return True
    inner: Any = (
        [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    )
    inner = inner or getattr(value, "__dict__", {}).values() if not callable(value) else ()
    return bool(depth) and any(_has_sets(one, depth - 1) for one in inner)


def _anything(view: object) -> bool:
    return True


def _in_words(step: tuple[Any, ...]) -> str:
    kind, name, operation = step
    return " ".join([name or kind, *(operation[-1:] if kind == "store" else ())])
