"""Check the arguments of a run: handlers or programs, a fault plan and a job."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from ..errors import BadInput
from ..faults import FaultPlan
from ..node.live import checked_handler
from ..node.node import Handler
from ..node.program import Deployment, Program, deployment_of, program_of
from ..node.source import Source
from .job import Job

# The handler or program of all nodes, or a list with one for each node.
Handlers: TypeAlias = Handler | Program | Deployment | Sequence[Handler | Program | Deployment]


def checked_case(
    handler: Handler, plan: FaultPlan | None = None, job: Source | None = None
) -> tuple[Handler, FaultPlan, Source]:
    """Return (handler, plan, job), with a plan without faults and the usual job for None.

    Raises `BadInput` for a handler that is no function of one argument, and for a wrong fault plan or job.
    """
    return checked_handler(handler), *_checked(plan, job)


def checked_run(
    handler: Handlers, plan: FaultPlan | None = None, job: Source | None = None
) -> tuple[list[Program], FaultPlan]:
    """Return (the programs of all nodes, the plan); `handler` is one, a `Program`, or a list of these.

    Raises `BadInput` for what is none, for a fault at a node that is not there, and as `checked_case` does.
    """
    plan, job = _checked(plan, job)
    programs = programs_of(handler, job)
    for fault in plan.faults:
        if (fault.node or 1) > len(programs):
            raise BadInput(f"A fault strikes node {fault.node}, and the nodes are 1 to {len(programs)}.")
    return programs, plan


def programs_of(handler: Handlers, job: Source | None = None, nodes: int | None = None) -> list[Program]:
    """Return the list of the nodes' programs. A single one is that of so many `nodes`; a handler's source is `job`.

    Raises `BadInput` for a value that is no handler, and for another number of handlers than nodes.
    """
    if isinstance(handler, (list, tuple)) and len(handler) == 1:
        (handler,) = handler
    if deployment := deployment_of(handler):
        handler = deployment.of_nodes(nodes).programs(Job() if job is None else job)
    given: list[Any] = list(handler) if isinstance(handler, (list, tuple)) else [handler]
    if not given:
        raise BadInput("No handler was given; give a function of one argument, the node, or a list of them.")
    if deployment:
        nodes = None
    if len(given) > 1 and nodes is not None and len(given) != nodes:
        raise BadInput(f"{len(given)} handlers were given for {nodes} nodes; give one handler for each node.")
    job = Job() if job is None else job
    for one in given:
        checked_handler(one.handler if isinstance(one, Program) else one)
    found = [one if isinstance(one, Program) else program_of(one, job) for one in given]
    _check_machines(found)
    return found * nodes if len(found) == 1 and nodes is not None else found


def _check_machines(programs: Sequence[Program]) -> None:
    """Raise `BadInput` if handlers of which one reads or fills other queues than the other share a machine."""
    seen: dict[tuple[str, str], Program] = {}
    for one in programs:
        if one.machine is not None:
            other = seen.setdefault(one.machine, one)
            if (one.source, one.feeds) != (other.source, other.feeds):
                raise BadInput(
                    f"Two handlers that read or fill different queues are both called {one.machine[1]!r}; give each "
                    "a name of its own, such as general(function, name='averages')."
                )


def _checked(plan: FaultPlan | None, job: Source | None) -> tuple[FaultPlan, Source]:
    plan, job = FaultPlan() if plan is None else plan, Job() if job is None else job
    if not isinstance(plan, FaultPlan):
        raise BadInput(f"The fault plan is {plan!r}; give a FaultPlan, such as FaultPlan.crash('B', 3), or None.")
    if not isinstance(job, Source):
        raise BadInput(f"The job is {job!r}; give a Job, such as Job(items=6), or None.")
    return plan, job
