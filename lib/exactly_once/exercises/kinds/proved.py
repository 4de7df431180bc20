"""Exercises whose answer runs as programs, which are proved: in each of a few worlds, under one rule."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ... import show as drawing
from ...errors import what_failed
from ...explore.proof import Proof
from ...faults import FaultPlan
from ...simulate import simulate
from ...verdict.run import Run
from .kind import Kind, called, proved, specification
from .reply import Reply, right, unsolved, wrong


@dataclass(frozen=True)
class World:
    """One world of a proof.

    `when` says in words when that is, such as "One lost reply"; it may be "" where the task has one world.
    `programs(answer)` returns the programs of its nodes, `rule` is the invariant, or None where a deployment has a
    reference, `bounds` what `prove` takes besides; without `crashes` among them nobody dies. `job` is the job of a
    handler without a source of its own.
    """

    when: str
    programs: Callable[[Any], Any]
    rule: Callable | None
    bounds: Mapping[str, Any] = field(default_factory=dict)
    job: Any = None

    def prove(self, answer: object) -> tuple[Any, Proof]:
        """Return the programs, and their `Proof`. Raises as `proved` does."""
        programs = self.programs(answer)
        return programs, proved(programs, self.rule, self.job, **{"crashes": 0, **self.bounds})

    def refused(self, programs: Any, proof: Proof) -> Reply | None:
        """Return the reply to an answer that this proof is against, or None."""
        if (found := proof.counterexample) is not None:  # one that waits is among them if `bounds` ask for lock_free
            return wrong(self.told(found.sentence), found, programs)
        if not proof.exhausted:
            return wrong(self.told(f"Not proved: {proof.stopped}. Write it with fewer steps."))
        return None

    def told(self, sentence: str) -> str:
        """Return a sentence behind the words for the world."""
        return f"{self.when}: {sentence[:1].lower()}{sentence[1:]}" if self.when else sentence


def proved_in(worlds: Sequence[World], answer: object) -> tuple[Reply | None, int]:
    """Prove an answer in each world; return (the `Reply` of the first world that refuses it, or None; the states)."""
    states = 0
    for world in worlds:
        programs, proof = world.prove(answer)
        if refused := world.refused(programs, proof):
            return refused, states
        states += proof.states
    return None, states


def sends_nothing(run: Run) -> bool:
    """Tell whether nobody took a step in a run."""
    return not any(event.kind == "send" for event in run.trace)


def does_nothing(run: Run) -> bool:
    """Tell whether nobody took a step in a run, and nobody failed."""
    return sends_nothing(run) and not run.error


@dataclass(frozen=True, kw_only=True)
class Proved(Kind):
    """One exercise that proves a learner's code in `worlds`, the simplest first; the first that refuses it is shown.

    The code runs once when nothing goes wrong, with the programs of the first world, or with `alone(answer)`.
    `idle(run)` tells by this run whether the code does nothing yet; `objects(answer, run)` returns the `Reply` to
    code that falls short in it, or None. A right answer is met with `praise`, which may name the number of {worlds}
    and of {states}, and which a function may make of the answer; `costs(run)` returns the `Reply` to one that is
    right and too dear, or None. `drawn(run)` draws that run, below the praise as well if `pictured`; without an
    answer `blank()` is drawn, or the rule of the first world.
    """

    worlds: Sequence[World]
    praise: str | Callable[[Any], str]
    alone: Callable[[Any], Any] | None = None
    idle: Callable[[Run], bool] = does_nothing
    objects: Callable[[Any, Run], Reply | None] = lambda answer, run: None
    costs: Callable[[Run], Reply | None] = lambda run: None
    drawn: Callable[[Run], drawing.Picture] = drawing.spacetime
    blank: Callable[[], drawing.Picture] | None = None
    pictured: bool = False

    def check(self, answer: object) -> Reply:
        """Run the code once when nothing goes wrong; then prove it in each world."""
        if not self.is_there(answer):
            return unsolved(self.asks)
        programs, run = self.calm(answer)
        if self.idle(run):
            return unsolved(self.begun)
        if run.error:
            said = f"It fails by itself: {what_failed(run.error)}"
            return wrong(said, run, programs, traceback=run.error)
        if refused := self.objects(answer, run):
            return refused
        refused, states = self.proved(answer)
        if refused := refused or self.costs(run):
            return refused
        praise = self.praise if isinstance(self.praise, str) else self.praise(answer)
        picture = self.drawn(run) if self.pictured else None
        return right(praise.format(worlds=len(self.worlds), states=f"{states:,}"), picture=picture)

    def proved(self, answer: object) -> tuple[Reply | None, int]:
        """Prove the code in each world; return as `proved_in` does."""
        return proved_in(self.worlds, answer)

    def calm(self, answer: object) -> tuple[Any, Run]:
        """Return the programs, and their `Run` when nothing goes wrong. Raises as `called` does."""
        programs = (self.alone or self.worlds[0].programs)(answer)
        return programs, called(simulate, programs, FaultPlan(), self.worlds[0].job)

    def show(self, answer: object) -> drawing.Picture:
        """Draw a calm run of the code; without code, the task."""
        if self.is_there(answer):
            return self.drawn(self.calm(answer)[1])
        return self.blank() if self.blank else specification(self.worlds[0].rule)
