"""The same stop, two protocols: a node is gone for good under two-phase commit, and one of two lock-free twins.

Two controls run as well: one lock-free node, and two-phase commit on two nodes that share the decision.
"""

import functools
from dataclasses import dataclass, replace
from html import escape
from typing import cast

import pandas as pd

from ...errors import one_of
from ...faults import POINTS, Fault, FaultPlan
from ...handlers import lock_free, shared_decision, two_phase
from ...node.node import Handler
from ...node.program import Deployment, deployment_of
from ...pipeline import Job
from ...show import Picture, table_html
from ...simulate import simulate
from ...verdict import Verdict, judge

JOB, HOUR = Job(items=3, duration=2, threshold=2), 2  # hour 2 is counted, and another hour comes after it
LANES = {"two_phase": "two-phase commit", "lock_free": "lock-free, two twins"}
CONTROLS = {
    "lock_free_alone": "lock-free, one node",
    "shared_decision": "two-phase commit, two nodes share the decision",
}


def on(twins: int, handler: Handler) -> Deployment:
    """Return a lock-free handler deployed on so many twins."""
    return replace(cast(Deployment, deployment_of(handler)), twins=twins)


HANDLERS = {
    "two_phase": two_phase,
    "lock_free": on(2, lock_free),
    "lock_free_alone": on(1, lock_free),
    "shared_decision": on(2, shared_decision),
}
GOES_ON, STANDS, BLOCKED = "goes on to the end", "stands still", "blocked"


@dataclass(frozen=True)
class Stop:
    """One run: a node stopped for good at a crash point, and the fate of the others as a `word`."""

    strategy: str
    at: str
    verdict: Verdict

    @property
    def word(self) -> str:
        """ "goes on to the end" where all is right; "blocked" where a row is held for ever; or "stands still"."""
        if self.verdict.blocked:
            return BLOCKED
        return GOES_ON if self.verdict.exactly_once else STANDS

    @property
    def sentence(self) -> str:
        """The fate of the others, in a sentence."""
        run = self.verdict.run
        if self.verdict.blocked:
            _, identifier = run.outcome.in_doubt[0]
            return (
                f"Transaction {identifier} is prepared in the database and in doubt: the counter’s row is held, for "
                "everybody, and who could end it is gone."
            )
        if self.word == GOES_ON:
            return f"All {JOB.items} hours are in the output once, and the counter is right: the other node went on."
        done = len(run.outcome.outputs)
        hours = f"{done} of {JOB.items} hours {'is' if done == 1 else 'are'} in the output"
        return f"No row is held, but {hours}, and nobody is left to handle the others."


@functools.cache
def stop(strategy, at):
    """Simulate the stop of a strategy's first node to get to a crash point of hour 2; of two alike, of either.

    `strategy` is one of `LANES` or `CONTROLS`.
    """
    handler = HANDLERS[one_of("the strategy", strategy, HANDLERS)]
    one_of("the crash point", at, POINTS)
    # without the database's node, which has a point E, too
    for node in range(1, 3 - (strategy == "lock_free_alone")):
        run = simulate(handler, FaultPlan((Fault(at, HOUR, "crash-stop", node=node),)), JOB)
        if run.reached:
            break
    return Stop(strategy, at, judge(run, handler))


def stops_table() -> pd.DataFrame:
    """Return the fate of each protocol and control, for each crash point at which a node is stopped for good."""
    asked = LANES | CONTROLS
    rows = [[f"at {at}", *(stop(strategy, at).word for strategy in asked)] for at in POINTS]
    return pd.DataFrame(rows, columns=["a node is stopped for good", *asked.values()])


def stops() -> Picture:
    """Return what becomes of both protocols and the controls, for each letter, with a sentence on each at C."""
    lanes = [stop(strategy, "C") for strategy in LANES]
    told = [f"{LANES[each.strategy]}, stopped at {each.at}: {each.word}. {each.sentence}" for each in lanes]
    table = stops_table()
    html = "".join(f"<p>{escape(line[:1].upper() + line[1:])}</p>" for line in told)
    return Picture(table_html(table) + html, text="\n".join([table.to_string(index=False), *told]))
