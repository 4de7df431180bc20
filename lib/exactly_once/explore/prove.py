"""`prove`: every schedule of a handler within bounds; and `replay`: one schedule, exactly as it was."""

import contextlib
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from ..errors import BadInput, is_number, one_of, whole
from ..node import Program, Source
from ..node.node import Handler
from ..pipeline import Handlers, programs_of
from ..simulate.replay import Replay, Replayer
from . import tokens
from .case import bounded, checked_handlers
from .model.automaton import NumberAsked, Stopped
from .model.shortcuts import Broken, Retracted
from .proof import Proof
from .prover import Prover
from .search.bookkeeping import Ways
from .search.properties import View
from .search.search import Limits

Explored = TypeVar("Explored")
STATE_LIMIT = 1_000_000
SECONDS = 120.0


def prove(
    handler: Handlers,
    nodes: int | None = None,
    items: int = 3,
    *,
    job: Source | None = None,
    invariant: Callable[[View], object] | None = None,
    reference: Handler | None = None,
    counter: bool = True,
    lock_free: bool = False,
    state_limit: int = STATE_LIMIT,
    seconds: float = SECONDS,
    progress: Callable[[int], object] | None = None,
    stopped: Callable[[], object] | None = None,
    merge: bool = True,
    beat: Callable[[], object] | None = None,
    **faults: int,
) -> Proof:
    """Explore every schedule of a handler within bounds. Returns a `Proof`.

    `handler` is a function of one argument, the node, or a `Program`, or a list with one for each node. `nodes` is
    how many run; it may be left out for one, and for a list. `job` replaces the default job of `items` hours.

    `faults` bound the faults of a whole run, as in `Bounds`: `crashes` (default 1: an incarnation dies between two
    steps, the node's next incarnation begins), and, 0 unless they are given, `pauses` (an incarnation falls asleep
    between two steps, the node's next incarnation begins, and the sleeper may wake up at any moment, or never),
    `lost_requests`, `lost_replies`, `duplicates` (requests that arrive twice, the second time right behind the first)
    and `late_requests`: their sender is told that the outcome is unknown, and they arrive at any later moment, also
    after their sender's death and after the end, or never; the second copy of a duplicate may then be late, too.

    The right outcomes are those of crash-free runs of a single node, of `reference` if it is given; for nodes with
    different handlers, or sources, those of their runs without faults, in any order of their steps, and if there
    are several, and no `reference` lists these handlers, the `Proof` is "not judged"; for a `Deployment`, those of
    its reference; or, if `invariant` is given, this function of a `View` of the stores decides at every moment.
    Registers that name nodes may be as several nodes without a fault leave them (`search.bookkeeping`). With
    `counter=False` nothing is asked of the counter. A deadlock is never right, nor a schedule in which steps go on
    for ever, though no node is stopped, and nothing gets done. That a node waits for another, as for a lock, is no
    violation: the `Proof` says it in its `lock_free`. With `lock_free=True` it breaks the handler. A wait for
    input, which `node.read` may have to do, is no wait for another.

    At most `state_limit` states are looked at, for at most `seconds` seconds; `progress(states)` is called now and
    then, and `stopped()` may end the search. `merge=False` is the plain search, without any merging of local states
    or of equal nodes. `beat()` is called before any of the handler's code runs, and now and then.

    Raises `BadInput` for bounds that make no sense, `IdealFailed` for a handler that does not get through its inputs
    when nothing goes wrong, `CourseError` for one that is not deterministic.
    """
    rules = {"reference": reference, "invariant": invariant, "counter": counter}
    case = bounded(handler, nodes, items, job, faults, **rules)
    whole("the limit of states", state_limit, least=1)
    one_of("counter", counter, (True, False))
    limits = Limits(state_limit, checked_seconds(seconds), progress, stopped, beat)

    def explore(symmetric: bool, broken: Collection[Broken]) -> Proof:
        return Prover(case, limits, symmetric=symmetric, merge=merge, broken=broken).prove(lock_free)

    return exploring(explore, symmetric=case.symmetric and merge)


def exploring(explore: Callable[[bool, Collection[Broken]], Explored], symmetric: bool) -> Explored:
    """Return the result of `explore(symmetric, broken)` with as many shortcuts as are sound.

    If `symmetric`, equal nodes are interchangeable until one asks for its number. `broken` holds each property of a
    shortcut that an operation of some incarnation has broken.
    """
    broken: Collection[Broken] = frozenset()
    while True:
        try:
            return explore(symmetric, broken)
        except NumberAsked:
            symmetric = False
        except Retracted as why:
            broken = why.broken


def bookkeeping_of(programs: Sequence[Program], seconds: float) -> Ways:
    """Return the registers in which nodes of one handler may differ from one node alone, as `bookkeeping` does.

    There are none if the runs of these programs without faults are not all explored within so many seconds.
    """
    case, limits = bounded(list(programs), None, 1, None, {"crashes": 0}), Limits(STATE_LIMIT, seconds)

    def explore(symmetric: bool, broken: Collection[Broken]) -> Ways:
        prover = Prover(case, limits, symmetric=symmetric, merge=True, broken=broken)
        with contextlib.closing(prover):
            return prover.bookkeeping()

    try:
        return exploring(explore, symmetric=False)
    except Stopped:
        return set()


def replay(token: str, handler: Handlers) -> Replay:
    """Carry out the schedule of a token once more. Returns its `Counterexample`'s `Replay`: the run, step by step.

    `handler` is the argument that `prove` got. Raises `BadInput` for a token that was mistyped, or is for another
    handler or version.
    """
    handlers = checked_handlers(handler)
    job, nodes, schedule = tokens.read(token, handlers)
    return Replayer(programs_of(handlers, job, nodes)).replay(schedule)


def checked_seconds(seconds: float) -> float:
    """Return `seconds` if it is a number above 0. Raises `BadInput` for anything else."""
    if not is_number(seconds) or not seconds > 0:
        raise BadInput(f"The limit of time is {seconds!r}; give a number of seconds, above 0.")
    return seconds
