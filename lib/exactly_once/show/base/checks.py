"""Checks of the arguments of pictures. A wrong argument is refused in one sentence that names the right ones."""

import reprlib
from typing import TypeVar

from ...errors import BadInput

Shown = TypeVar("Shown")
KINDS = {  # by name of the type, so that nothing else need be imported
    "Verdict": "a verdict, such as judge(run, handler) returns",
    "Run": "a run, such as simulate(handler, plan) returns",
    "Trace": "a trace, such as run.trace",
    "History": 'a history of events, such as History([Event("a", "local")])',
    "LeaderDeath": "a leader's death, such as kill_the_leader() returns",
    "Proof": "a proof, such as prove(handler) returns",
    "Counterexample": "a counterexample, such as prove(handler).counterexample",
    "Flaws": "a table such as flaws() returns",
    "Claims": "a table such as claims() returns",
    "Checkpoint": "a checkpoint, such as checkpoint_of(folder) returns",
    "Job": "a job, such as Job(items=6)",
    "Comparison": "a comparison, such as compare_costs() returns",
    "Contention": "what contend() returned",
    "Waits": "what waits() or waits_of_two_phase() returned",
    "Batched": "a result of batched or measured",
    "Measured": "a result of batched or measured",
    "Ideal": "an ideal outcome, such as ideal_outcomes(handler, job) returns",
    "DataFrame": "a table of pandas",
}


def given(value: Shown, *kinds: type) -> Shown:
    """Return `value` if it is of one of `kinds`, whose names are keys of `KINDS`; otherwise raise `BadInput`."""
    if isinstance(value, kinds):
        return value
    raise BadInput(
        f"{reprlib.repr(value)} cannot be shown here; give {', or '.join(KINDS[kind.__name__] for kind in kinds)}."
    )


def several(value: object, *kinds: type[Shown]) -> list[Shown]:
    """Return `value` as a list if it is of one of `kinds`, or some of them in a list; otherwise raise `BadInput`."""
    found = [value] if isinstance(value, kinds) else value
    if isinstance(found, (list, tuple)) and found and all(isinstance(one, kinds) for one in found):
        return list(found)
    known = ", or ".join(dict.fromkeys(KINDS[kind.__name__] for kind in kinds))
    raise BadInput(f"{reprlib.repr(value)} cannot be shown here; give {known}, or several in a list.")
