"""Checks of the arguments of pictures. A wrong argument is refused in one sentence that names the right ones."""

import reprlib
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

import pandas as pd

from ...articles import Flaws
from ...claims.table import Claims
from ...clocks import History
from ...costs.spread import Comparison
from ...errors import BadInput
from ...explore.isolation import LevelsAndForms
from ...explore.proof import Counterexample, Proof
from ...faults import POINTS
from ...log.network.leader_death import LeaderDeath
from ...pipeline import Job
from ...spark.streaming.checkpoint import Checkpoint
from ...trace import Trace
from ...verdict import Run, Verdict

Rows: TypeAlias = Sequence[tuple[Hashable, str]]  # of a matrix: (key, title)
Results: TypeAlias = Mapping[tuple[Hashable, str], Verdict | None]  # by (key of the row, crash point); None: not run
Mood: TypeAlias = Literal["good", "bad", "none"]
Shown = TypeVar("Shown")
ByCell = TypeVar("ByCell", bound=Mapping[Any, Verdict | None])
KINDS: dict[type, str] = {
    Verdict: "a verdict, such as judge(run, handler) returns",
    Run: "a run, such as simulate(handler, plan) returns",
    Trace: "a trace, such as run.trace",
    History: 'a history of events, such as History([Event("a", "local")])',
    LeaderDeath: "a leader's death, such as kill_the_leader() returns",
    Proof: "a proof, such as prove(handler) returns",
    Counterexample: "a counterexample, such as prove(handler).counterexample",
    LevelsAndForms: "a table such as levels_and_forms() returns",
    Flaws: "a table such as flaws() returns",
    Claims: "a table such as claims() returns",
    Checkpoint: "a checkpoint, such as checkpoint_of(folder) returns",
    Job: "a job, such as Job(items=6)",
    Comparison: "a comparison, such as compare_costs() returns",
    pd.DataFrame: "a table of pandas",
}


def given(value: Shown, *kinds: type) -> Shown:
    """Return `value` if it is of one of `kinds`, which are keys of `KINDS`; otherwise raise `BadInput`."""
    if isinstance(value, kinds):
        return value
    raise BadInput(f"{reprlib.repr(value)} cannot be shown here; give {', or '.join(KINDS[kind] for kind in kinds)}.")


def given_rows(rows: Rows) -> list[tuple[Hashable, str]]:
    """Return the rows of a matrix as a list of (key, title). Raises `BadInput` for anything else."""
    if isinstance(rows, (list, tuple)) and all(isinstance(row, tuple) and len(row) == 2 for row in rows):
        return [(key, str(title)) for key, title in rows]
    raise BadInput(f"The rows of the matrix are {reprlib.repr(rows)}; give a list of pairs (key, title).")


def given_results(results: ByCell) -> ByCell:
    """Return results if they map (row, crash point) to verdicts, or to None. Raises `BadInput` for anything else."""
    if not isinstance(results, Mapping):
        raise BadInput(
            f"The results are {reprlib.repr(results)}; give a mapping from (row, crash point) to verdicts."
        )
    for key, verdict in results.items():
        if not isinstance(key, tuple) or len(key) != 2 or key[1] not in POINTS:
            raise BadInput(
                f"A result stands under {key!r}; give pairs of a row and a crash point, {', '.join(POINTS)}."
            )
        if verdict is not None:
            given(verdict, Verdict)
    return results
