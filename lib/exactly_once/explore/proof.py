"""The result of a proof: bounds, states, seconds, and the simplest schedule that breaks the handler."""

from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from ..faults import FaultPlan
from ..node import Source
from ..simulate.schedule import Decision
from ..trace import Trace
from ..verdict import Run, Verdict
from ..verdict.verdict_sentences import not_looked_at
from .case import Bounds

PLAIN = (
    "ok exhausted states runs stopped leaves ends warnings overlooked silent lock_free obstruction_free awaits_input"
)
Failure: TypeAlias = Literal["outcome", "visible", "invariant", "raised", "deadlock", "blocked", "endless"]


@dataclass(frozen=True)
class Counterexample:
    """The simplest schedule that fails.

    `token` replays it; `sentence` describes the error; `explanation` tells the schedule line by line; `run` is the
    run with its trace, `verdict` the judgement of it (None where none was asked for), `plan` the faults as a fault
    plan: the whole schedule when one node ran, chose nothing, and none of its incarnations was put to sleep.
    `steps` are (life, step) of each decision. `kind` is

    - "outcome": the run ends as no right run does; "visible": observers see a state that no right run shows;
    - "invariant": the invariant does not hold; "raised": the handler itself failed;
    - "deadlock": nodes have not ended, and no step is enabled;
    - "blocked": an incarnation, left alone by all others for good, never ends;
    - "endless": steps go on for ever, and nothing gets done.
    """

    token: str
    sentence: str
    kind: Failure
    explanation: tuple[str, ...]
    run: Run
    verdict: Verdict | None
    schedule: tuple[Decision, ...]
    steps: tuple[tuple[int, int], ...]

    @property
    def plan(self) -> FaultPlan:
        """The faults as a fault plan."""
        return self.run.plan

    @property
    def trace(self) -> Trace:
        """The flight recorder's trace of the run."""
        return self.run.trace

    def json(self) -> dict[str, Any]:
        """Return the counterexample as plain data."""
        return {
            "token": self.token,
            "kind": self.kind,
            "sentence": self.sentence,
            "explanation": list(self.explanation),
            "plan": self.plan.token,
        }


@dataclass(frozen=True, repr=False)
class Proof:
    """The result of `prove`. `ok` is True only when everything within the bounds was explored and nothing failed, and
    it is known what is right.

    Then `liveness_violation` is None when the handler is lock-free. Otherwise it is the simplest schedule with an
    incarnation that waits for another, or with incarnations that loop for ever while another is stopped. Such a
    schedule is no failure, unless `prove` was asked to treat it as one. It may stand beside a counterexample of the
    kind "endless". `awaits_input` tells that an incarnation waits for input, until another one writes it or all
    possible writers have ended: that is no wait for another incarnation.

    `states` is the number of global states seen, `runs` the number of states in which all nodes had ended, `seconds`
    the duration, `stopped` the reason for an early end ("" without one), `warnings` the reasons why the proof is
    worth little. `silent` tells whether the correct outcome has nothing in the output, nor in stores of the handler's
    own; `ruled` whether an invariant took the place of a reference; `overlooked` names the contents of the stores
    that were not compared, in words. `leaves` says what a run without a fault leaves; `ends` is the number of ways in
    which such runs end, if nobody has said which of them are right, and else 1.
    """

    name: str
    job: Source
    bounds: Bounds
    states: int
    runs: int
    seconds: float
    exhausted: bool
    stopped: str = ""
    counterexample: Counterexample | None = None
    liveness_violation: Counterexample | None = None
    warnings: tuple[str, ...] = ()
    silent: bool = False
    ruled: bool = False
    awaits_input: bool = False
    overlooked: tuple[str, ...] = ()
    leaves: str = ""
    ends: int = 1

    @property
    def ok(self) -> bool:
        """True when the handler is proved within the bounds."""
        return self._holds and self.ends == 1

    @property
    def _holds(self) -> bool:
        return self.exhausted and self.counterexample is None

    @property
    def example(self) -> Counterexample | None:
        """The schedule to show: the counterexample, or else the obstacle to progress."""
        return self.counterexample or self.liveness_violation

    @property
    def lock_free(self) -> bool | None:
        """True or False when that is known; None if the handler is broken in other ways, or was not explored fully.

        Nodes make finitely many calls here, so that this is the same as wait-free.
        """
        if self._keeps_from_progress:
            return False
        return True if self._holds else None

    @property
    def obstruction_free(self) -> bool | None:
        """Whether each incarnation finishes if it runs alone from any moment on; None where that is not known."""
        kinds = [one.kind for one in self._keeps_from_progress]
        if "blocked" in kinds:
            return False
        return True if self.exhausted and (self._holds or kinds) else None

    @property
    def _keeps_from_progress(self) -> list[Counterexample]:
        found = (self.counterexample, self.liveness_violation)
        return [one for one in found if one is not None and one.kind in ("blocked", "endless")]

    @property
    def headline(self) -> str:
        """The verdict in a few words."""
        if self.counterexample is not None:
            return "Broken"
        if not self.exhausted:
            return "Not proved"
        if self.ends > 1:
            return f"Not judged: {self.ends:,} ways to end without a fault"
        nothing = ", but nothing is written to the output" if self.silent else ""
        return f"Proved: no violation within these bounds{nothing}"

    @property
    def covers(self) -> str:
        """The bounds in words, and how the inputs come where that is a choice."""
        said = [str(self.bounds)]
        said += ["inputs as they come"] * (getattr(self.job, "arrival", "together") != "together")
        said += ["a window in processing time"] * (getattr(self.job, "time", "event") != "event")
        return ", ".join(said)

    @property
    def sentences(self) -> list[str]:
        """The result in sentences."""
        states = f"{self.states:,} state{'s' if self.states != 1 else ''}"
        runs = f"{self.runs:,} ends of runs" if self.runs != 1 else "1 end of a run"
        took = f"{states} and {runs} in {self.seconds:.2f} s"
        found = []
        if self.counterexample is not None:
            found += [self.counterexample.sentence, f"Explored: {took}; bounds: {self.covers}."]
            if self.counterexample.sentence.startswith("Mind: "):  # the verdict has said this already
                return found
            beside = self.liveness_violation
            if beside is not None and beside.schedule != self.counterexample.schedule:
                found.append(f"Nor does each incarnation end that is left alone: {_lower(beside.sentence)}")
        elif self.exhausted:
            holds = "the rule holds at every moment of every schedule within them"
            ends = "every schedule within them ends as " + ("it should", "some run without a fault")[self.ends > 1]
            found.append(f"The bounds are {self.covers}; {holds if self.ruled else ends}: {took}.")
            found.append(self._progress())
        else:
            found.append(f"Nothing failed so far, but {self.stopped}, so this says nothing about the rest: {took}.")
        leaves = [f"A run without a fault leaves: {self.leaves}."] if self._holds and self.leaves else []
        return [*found, *leaves, *self.warnings, *not_looked_at(self.overlooked)]

    def _progress(self) -> str:
        """Return the sentence on progress where no schedule fails."""
        if self.liveness_violation is not None:
            return f"Deadlock-free, but not lock-free: {_lower(self.liveness_violation.sentence)}"
        if self.bounds.nodes == 1 and not self.bounds.pauses:
            return "Each incarnation finishes by itself."
        return (
            "Lock-free: No node ever waits for another: the others, stopped for good at any step, never hold one up, "
            "and no schedule goes on for ever without anything getting done."
        ) + " A node waits only for input, while nothing is there to read." * self.awaits_input

    def __str__(self) -> str:
        lines, shown = (
            [f"{self.headline}. Handler: {self.name}.", *self.sentences],
            self.example,
        )
        if shown is not None:
            lines += ["", *shown.explanation, "", f"Token: {shown.token}"]
        return "\n".join(lines)

    __repr__ = __str__  # what `show` draws in a notebook is text elsewhere

    def json(self) -> dict[str, Any]:
        """Return the proof as plain data."""
        return {
            "handler": self.name,
            **{name: getattr(self, name) for name in PLAIN.split()},
            "seconds": round(self.seconds, 3),
            "bounds": asdict(self.bounds),
            "counterexample": self.counterexample and self.counterexample.json(),
            "liveness_violation": self.liveness_violation and self.liveness_violation.json(),
        }


def _lower(sentence: str) -> str:
    return f"{sentence[0].lower()}{sentence[1:]}"
