"""`prove`: every schedule of a handler within bounds; and `replay`: one schedule, exactly as it was."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ..errors import BadInput, one_of, whole
from ..node import Program, Source
from ..node.node import Handler
from ..node.program import Deployment, deployment_of
from ..pipeline import Job
from ..pipeline.case import Handlers, programs_of
from ..simulate.replay import Replay, Replayer
from . import tokens
from .bounds import Bounds
from .model.automaton import NumberAsked
from .model.shortcuts import Broken, Retracted
from .proof import Proof
from .prover import Prover
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

    `faults` bound the faults of a whole run, as in `Bounds`: `crashes` (default 1: a life dies between two steps, the
    node's next life begins), and, 0 unless they are given, `pauses` (a life falls asleep between two steps, the
    node's next life begins, and the sleeper may wake up at any moment, or never), `lost_requests`, `lost_replies`,
    `duplicates` (requests that arrive twice, the second time right behind the first) and `late_requests`: their
    sender is told that the outcome is unknown, and they arrive at any later moment, also after their sender's death
    and after the end, or never; the second copy of a duplicate may then be late, too.

    Right is what crash-free runs of a single node leave, of `reference` if it is given; for nodes with different
    handlers, or sources, what they leave when nothing goes wrong, in any order of their steps; of a `Deployment` what
    its reference leaves; or, if `invariant` is given, what this function of a `View` of the stores says at every
    moment. With `counter=False` nothing is asked of the counter. A deadlock is never right, nor a
    schedule in which steps go on for ever, though no node is stopped, and nothing gets done. That a node waits for
    another, as for a lock, is no violation: the `Proof` says it in its `lock_free`. With `lock_free=True` it breaks
    the handler. A wait for input, which `node.read` may have to do, is no wait for another.

    At most `state_limit` states are looked at, for at most `seconds` seconds; `progress(states)` is called now and
    then, and `stopped()` may end the search. `merge=False` is the plain search, without any merging of local states
    or of equal nodes. `beat()` is called before any of the handler's code runs, and now and then.

    Raises `BadInput` for bounds that make no sense, `IdealFailed` for a handler that does not get through its inputs
    when nothing goes wrong, `CourseError` for one that is not deterministic.
    """
    handlers, job, bounds = bounded(handler, nodes, items, job, faults)
    nodes, deployment = bounds.nodes, deployment_of(handler)
    reference = deployment.reference if deployment and reference is None and invariant is None else reference
    whole("the limit of states", state_limit, least=1)
    one_of("counter", counter, (True, False))
    limits = Limits(state_limit, checked_seconds(seconds), progress, stopped, beat)
    arguments = handlers, job, bounds, limits, reference, invariant, counter
    alike = nodes > 1 and len(handlers) == 1 and not deployment

    def explore(symmetric: bool, broken: Collection[Broken]) -> Proof:
        return Prover(*arguments, symmetric=symmetric, merge=merge, broken=broken).prove(lock_free)

    return exploring(explore, symmetric=alike and merge)


def exploring(explore: Callable[[bool, Collection[Broken]], Explored], symmetric: bool) -> Explored:
    """Return what `explore(symmetric, broken)` does, with as many shortcuts as can be relied on.

    Equal nodes are taken for each other if `symmetric`, until one asks for its number; a property on which a shortcut
    relies is in `broken` from when a life has asked for what breaks it.
    """
    broken: Collection[Broken] = frozenset()
    while True:
        try:
            return explore(symmetric, broken)
        except NumberAsked:
            symmetric = False
        except Retracted as why:
            broken = why.broken


def replay(token: str, handler: Handlers) -> Replay:
    """Carry out the schedule of a token once more. Returns its `Counterexample`'s `Replay`: the run, step by step.

    `handler` is what was given to `prove`. Raises `BadInput` for a token that was mistyped, or is for another handler
    or version.
    """
    handlers = checked_handlers(handler)
    job, nodes, schedule = tokens.read(token, handlers)
    return Replayer(handlers, job, nodes).replay(schedule)


def bounded(
    handler: Handlers, nodes: int | None, items: int, job: Source | None, faults: Mapping[str, int]
) -> tuple[list[Handler | Program | Deployment], Source, Bounds]:
    """Return (the list of handlers, the job, the `Bounds`) of a search. Raises `BadInput` for what makes no sense."""
    job = job or Job(items=items)
    handlers = checked_handlers(handler, nodes)
    if getattr(job, "items", items) is None:
        raise BadInput("The job has no number of items; a proof needs one, such as 3.")
    if nodes is None or deployment_of(handler):
        nodes = len(programs_of(handlers))
    return handlers, job, Bounds.of(nodes, _items(handlers) or getattr(job, "items", items), faults)


def _items(handlers: Sequence[object]) -> int:
    """Return how many items programs with sources of their own handle, as far as all of them know; else 0."""
    sources = {one.source: len(one.source.hours()) for one in handlers if isinstance(one, Program)}
    return sum(sources.values()) if all(isinstance(one, Program) for one in handlers) else 0


def checked_handlers(handler: Handlers, nodes: int | None = None) -> list[Handler | Program | Deployment]:
    """Return the list of handlers, one or one for each node, or a `Deployment`. Raises `BadInput` for anything
    else.
    """
    if deployment := deployment_of(handler):
        if nodes is not None and deployment.machine:
            deployment = replace(deployment, twins=whole("the number of nodes", nodes, least=1))
        return [deployment]
    handlers: list[Any] = list(handler) if isinstance(handler, (list, tuple)) else [handler]
    programs_of(handlers, None, nodes)
    return handlers


def checked_seconds(seconds: float) -> float:
    """Return `seconds` if it is a number above 0. Raises `BadInput` for anything else."""
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not seconds > 0:
        raise BadInput(f"The limit of time is {seconds!r}; give a number of seconds, above 0.")
    return seconds
