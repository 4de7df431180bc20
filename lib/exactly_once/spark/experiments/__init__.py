"""What chapters carry out on the cluster: programs, the faults that strike them, and what is observed then.

| file | chapter | programs | faults | observed |
| --- | --- | --- | --- | --- |
| `conversation` | 01 | four processes that talk | clocks that are wrong | the order of their events |
| `brokers` | 02, 05 | a producer, three brokers | the leader is killed | records lost and doubled |
| `delivery` | 03, 05 | producer and consumer, or senders | kills, lost replies | the log, the effects |
| `waits` | 11, 14 | twins, and one node beside them | a kill, a pause, a slow node | how long records wait |
| `election` | 13, 14 | twins over etcd | the store's leader is killed | how long twins wait |

`experiment` carries out what needs nothing but tasks of the cluster. Chapter 12's query and its batches have drivers
and sinks of Spark's own: see `streaming`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ...errors import CourseError
from ...faults import FaultPlan
from ...servers.by_url import SQLITE
from ...verdict import Run
from ..run.tasks import Prepared, in_turn

PATIENCE_SECONDS = 60.0  # without a step of a run


def experiment(
    programs: Mapping[Any, Any], faults: FaultPlan | Callable[[Prepared], object],
    observe: Callable[[Any, Run], Any], stores: str = SQLITE,
) -> dict[Any, Any]:  # fmt: skip
    """Run programs under faults and return {name: what was observed of its run}.

    programs: {name: what `run_on_cluster` runs}. Those that need one task each run at once, the others one by one.
    faults: a `FaultPlan`; or a function that strikes from outside: it is called with a `Prepared` run again and again
        while that goes on.
    observe: called with a name and the `Run` of that name.

    `stores` is as in `run_on_cluster`. Raises as that does, and `CourseError` where a program failed
    by itself.
    """
    plan = faults if isinstance(faults, FaultPlan) else None
    runs = {name: Prepared(one, plan, stores=stores) for name, one in programs.items()}

    def look(_: int) -> None:
        for run in () if isinstance(faults, FaultPlan) else runs.values():
            faults(run)  # type: ignore[operator]

    observed = {}
    for name, run in zip(runs, in_turn(list(runs.values()), look, PATIENCE_SECONDS), strict=True):
        if run.error:
            raise CourseError(f"The run of {name} failed on the cluster: {run.error.strip().splitlines()[-1]}")
        observed[name] = observe(name, run)
    return observed


def killed(run: Run) -> int:
    """Return how many processes of a run were killed."""
    return sum("kill" in death.detail for death in run.trace.deaths())
