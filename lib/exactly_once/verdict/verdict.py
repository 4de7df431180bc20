"""Judging a run: could a crash-free run of a single node have had this outcome, and if not, what is wrong with it?"""

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
    """What a run did, judged. `consistent` is the definition of exactly-once: the outcome is among the right ones.

    `silent` is True when the right ones have nothing in the output, so that nothing could be doubled or lost there.
    `unfinished` is True for a run that goes on: it is right so far, and its newest pass may be half done.
    `nearest` are the records of the right run that this one was compared with; None when the handler failed.
    `right_outcomes` is how many outcomes are right: several where the world has something to choose.
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
        """True when somebody waits for ever, or a row is locked for ever, since a node is gone for good."""
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
    """Return the `Verdict` of a run of `handler`: right is an outcome that a crash-free run of one node could leave.

    Those runs are of `reference`, the handler that this one should equal, if it is given; else of `handler` itself.
    A handler that does nothing is its own ideal, so what a learner wrote is judged against a reference; a
    `Deployment` has one. `ideals`, as `ideal_outcomes` gives them, spare it to compute them again.

    A run in which the handler itself failed is not consistent. Raises `IdealFailed` when the handler got through
    this run, but does not get through its inputs without any fault, or has too many crash-free runs.
    """
    if run.error:
        return Verdict(run, Damage(), consistent=False, reached=run.reached, sentence=sentence(run, Damage(), None))
    ideals = ideals or ideal_outcomes(handler if reference is None else reference, run.job)
    if reference is not None or deployment_of(handler) is not None:  # another handler may agree in another way
        run = replace(run, outcome=run.outcome.but_registers())
        ideals = [replace(ideal, outcome=ideal.outcome.but_registers()) for ideal in ideals]
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
    """Return the records of an ideal; those that the run has, too, are its own, so that a verdict stays small."""
    own = {(push.item, push.inputs): push for push in run.pushes}
    pairs = ((own.get((push.item, push.inputs), push), push) for push in ideal.pushes)
    return tuple(mine if mine.value == push.value else push for mine, push in pairs)


def _unlike(run: Run, ideal: Ideal) -> int:
    """Return how many records of a run were made from other readings than any of the ideal's: of ideals with equal
    damage, that one is compared with which read the streams in the run's own order.
    """
    found, right = (Counter(push.inputs for push in pushes) for pushes in (run.pushes, ideal.pushes))
    return sum((found - right).values())
