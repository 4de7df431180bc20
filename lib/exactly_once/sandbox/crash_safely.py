"""Crash a learner's handler from a file where it can do no harm, or count its operations.

A simulated run is performed and judged in the warm child process. On the cluster the handler runs in a task's own
process, as any handler does; this process treats the file as bytes.
"""

import contextlib
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from ..costs.counted import Counted, counted
from ..errors import BadInput, HandlerStuck, whole
from ..explore.case import bounded
from ..explore.model.automaton import Stopped
from ..explore.prove import STATE_LIMIT, Prover, exploring
from ..explore.search.search import Limits
from ..explore.search.specification import Ways
from ..faults import FaultPlan
from ..node import Node, Program
from ..node.program import deployment_of, pickle_handler, unpickle_handler
from ..pipeline import programs_of
from ..simulate import simulate
from ..verdict import Run, ideal_outcomes, judge
from ..verdict.verdict import but_bookkeeping
from .pool import call, preload
from .prove_safely import in_file, path_and_name

LOOK_SECONDS = 3.0  # for the runs without faults of several nodes
SECONDS, READS_PER_SECOND = 5.0, 10
preload("exactly_once.sandbox.crash_safely")


class HandlerInFile:
    """The handler that `where` names, as "PATH.py:FUNCTION", run by `nodes` nodes (None: as many as it needs).

    `own` are (store, part) pairs that it keeps for itself, besides those that it names itself. For an invalid file or
    function its methods raise the errors of `prove_file`; they raise `HandlerStuck` for a handler that does not
    finish.
    """

    def __init__(self, where: str, job: Any, nodes: int | None = None, own: Sequence[tuple[str, str]] = ()) -> None:
        self.case = (*path_and_name(where), own, job, nodes)
        self.seconds = max(SECONDS, job.size() / READS_PER_SECOND)

    def simulated(self, plan: FaultPlan) -> dict[str, Any]:
        """Return the verdict on a simulated run under a fault plan, as plain data."""
        return self._called(_simulated, plan)

    def counted(self) -> Counted:
        """Return what it asks of its stores for a record, as `Counted`. Raises `CourseError` if the handler fails."""
        return self._called(_counted)

    def programs(self) -> list[Program]:
        """Return the programs of all nodes for a run on the cluster."""
        found = self._called(_pickled)
        return [program.handled_by(Pickled(handler)) for program, handler in found]

    def judged(self, run: Run) -> dict[str, Any]:
        """Return the verdict on a run that took place on the cluster, as plain data."""
        return self._called(_judged, run)

    def _called(self, function: Callable[..., Any], *more: Any) -> Any:
        try:
            return call(function, self.case, *more, seconds=self.seconds)
        except MemoryError:
            raise HandlerStuck(
                "The run needs more memory than a handler in a file gets; give it fewer items."
            ) from None


class Pickled:
    """A handler as bytes: where it is pickled to, it arrives as the handler itself."""

    def __init__(self, pickled: bytes) -> None:
        self.pickled = pickled

    def __call__(self, node: Node) -> Any:
        """Handle a node's inputs. Nobody calls it here: an incarnation begins with a fresh copy, from a pickle."""
        return unpickle_handler(self.pickled)(node)

    def __reduce__(self) -> Any:
        return unpickle_handler, (self.pickled,)


def programs_on(handler: Any, job: Any, nodes: int | None) -> list[Program]:
    """Return the programs of a handler on so many nodes (None: as many as it needs).

    Raises `BadInput` for a number that is none, and for another than the handler needs, if that is fixed.
    """
    if nodes is not None:
        whole("the number of nodes", nodes, least=1)
    programs = programs_of(handler, job, nodes)
    if nodes not in (None, len(programs)):
        raise BadInput(f"The number of nodes is {nodes}, and this handler runs on {len(programs)}; leave it out.")
    return programs


def _loaded(
    path: str, name: str, own: Sequence[tuple[str, str]], job: Any, nodes: int | None
) -> tuple[Any, list[Program]]:
    """Return (what is judged, the programs of all nodes), in the child process."""
    (handler,) = in_file(path, name, own)
    return handler, programs_on(handler, job, nodes)


def _simulated(case: tuple[Any, ...], plan: FaultPlan) -> dict[str, Any]:
    handler, programs = _loaded(*case)
    return _verdict(handler, programs, simulate(programs, plan))


def _counted(case: tuple[Any, ...]) -> Counted:
    *_, job, nodes = case
    handler, _ = _loaded(*case)  # which looks at the number of nodes
    return counted(handler, job, nodes)


def _pickled(case: tuple[Any, ...]) -> list[tuple[Program, bytes]]:
    _, programs = _loaded(*case)
    path = Path(case[0])
    if getattr(sys.modules.get(path.stem), "__file__", None) == str(path):
        del sys.modules[path.stem]  # no worker has this module: what stands in it travels by value
    return [(program.handled_by(None), pickle_handler(program.handler)) for program in programs]


def _judged(case: tuple[Any, ...], run: Run) -> dict[str, Any]:
    return _verdict(*_loaded(*case), run)


def _verdict(handler: Any, programs: Sequence[Program], run: Run) -> dict[str, Any]:
    """Return the verdict as plain data. Several nodes may leave registers that name one of them."""
    found = judge(run, handler)
    if not found.consistent and len(programs) > 1 and run.outcome.registers and not deployment_of(handler):
        right = ideal_outcomes(handler, run.job)
        run, right = but_bookkeeping(run, right, _bookkeeping(programs))
        found = judge(run, handler, right)
    return found.json()


def _bookkeeping(programs: Sequence[Program]) -> Ways:
    """Return the registers in which nodes of one handler may differ from one node alone, if that is soon known."""
    case, limits = bounded(list(programs), None, 1, None, {"crashes": 0}), Limits(STATE_LIMIT, LOOK_SECONDS)

    def explore(symmetric: bool, broken: Collection[Any]) -> Ways:
        with contextlib.closing(Prover(case, limits, symmetric=symmetric, merge=True, broken=broken)) as prover:
            return prover.bookkeeping()

    try:
        return exploring(explore, symmetric=False)
    except Stopped:
        return set()
