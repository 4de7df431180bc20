"""Judges a run: could a crash-free run of a single node have had this outcome, and if not, how does it differ?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..node.node import Handler
from ..node.program import Deployment, Program, deployment_of
from .damage import Damage, damage
from .ideal import Ideal, ideal_outcomes
from .run import Push, Run
from .sentences import sentence


@dataclass(frozen=True)
class Verdict:
    """The judgement of a run. `consistent` is the definition of exactly-once: the outcome is among the right ones.

    `silent` is True when the right outcomes have nothing in the output, nor in a store of the handler's own, so that
    nothing could be doubled or lost there. `unfinished` is True for a run that goes on: it is right so far, and its
    newest pass may be half done. `nearest` are the records of the right run with which this run was compared; None
    when the handler failed.
    `right_outcomes` is the number of right outcomes: several where the world has a choice.
    """

    run: Run
    damage: Damage
    consistent: bool
    reached: bool
    sentence: str
    silent: bool = False
    unfinished: bool = False
    nearest: tuple[Push, ...] | None = None
    right_outcomes: int = 1

    @property
    def blocked(self) -> bool:
        """True when a process waits for ever, or a row is locked for ever, since a node is gone for good."""
        return self.run.blocked is not None

    @property
    def exactly_once(self) -> bool:
        """True when the outcome is right and the handler itself did not fail."""
        return self.consistent and self.run.error is None

    def json(self) -> dict[str, Any]:
        """Return the verdict as plain data."""
        return {
            "world": self.run.world,
            "plan": self.run.plan.token,
            "duplicated": list(self.damage.duplicated),
            "missing": list(self.damage.missing),
            "wrong": list(self.damage.wrong),
            "disordered": self.damage.disordered,
            "counter": self.damage.counter,
            "expected_counter": self.damage.expected_counter,
            "doubled_inputs": [list(pair) for pair in self.damage.doubled_inputs],
            "lacking_inputs": [list(pair) for pair in self.damage.lacking_inputs],
            "others": [list(one) for one in self.damage.others],
            "overlooked": list(self.run.outcome.overlooked),
            "reached": self.reached,
            "consistent": self.consistent,
            "blocked": self.blocked,
            "silent": self.silent,
            "right_outcomes": self.right_outcomes,
            "lives": len(self.run.trace.lives()),
            "seconds": round(self.run.seconds, 3),
            "error": self.run.error,
            "sentence": self.sentence,
        }


def judge(
    run: Run,
    handler: Handler | Program | Deployment,
    ideals: Sequence[Ideal] | None = None,
    *,
    reference: Handler | Program | None = None,
) -> Verdict:
    """Return the `Verdict` of a run of `handler`: an outcome is right if a crash-free run of one node could leave it.

    These runs are runs of `reference`, the handler that this one should equal, if it is given; else of `handler`
    itself. A handler that does nothing is its own ideal, so a learner's handler is judged against a reference; a
    `Deployment` has a reference. `ideals`, a result of `ideal_outcomes`, saves computing the ideals again.

    A run in which the handler itself failed is not consistent. Raises `IdealFailed` when the handler finished this
    run, but does not finish its inputs without any fault, or has too many crash-free runs.
    """
    if run.error:
        return Verdict(run, Damage(), consistent=False, reached=run.reached, sentence=sentence(run, Damage(), None))
    ideals = ideals or ideal_outcomes(handler if reference is None else reference, run.job)
    if reference is not None or deployment_of(handler) is not None:  # another handler may agree in another way
        run = replace(run, outcome=run.outcome.but_registers())
        ideals = [replace(ideal, outcome=ideal.outcome.but_registers()) for ideal in ideals]
    if not run.state_seen:
        ideals = [ideal.without_state(run.outcome.state) for ideal in ideals]
    right = len({ideal.outcome for ideal in ideals})
    compared = [(ideal, damage(run, ideal)) for ideal in ideals]
    nearest, found = min(compared, key=lambda pair: (pair[1].weight, pair[1].oddities, _unlike(run, pair[0])))
    return Verdict(
        run=run,
        damage=found,
        consistent=any(run.outcome == ideal.outcome for ideal in ideals),
        reached=run.reached,
        sentence=sentence(run, found, nearest, right=right),
        silent=nearest.silent and not found.any,
        nearest=_shared(run, nearest),
        right_outcomes=right,
    )


def _shared(run: Run, ideal: Ideal) -> tuple[Push, ...]:
    """Return the records of an ideal. Records that the run has too are the run's own objects, so that a verdict stays
    small.
    """
    own = {(push.item, push.inputs): push for push in run.pushes}
    pairs = ((own.get((push.item, push.inputs), push), push) for push in ideal.pushes)
    return tuple(mine if mine.value == push.value else push for mine, push in pairs)


def _unlike(run: Run, ideal: Ideal) -> int:
    """Return the number of records of a run whose readings differ from those of all records of the ideal. Of ideals
    with equal damage, `judge` compares the run with one that read the streams in the run's own order.
    """
    found, right = (Counter(push.inputs for push in pushes) for pushes in (run.pushes, ideal.pushes))
    return sum((found - right).values())
