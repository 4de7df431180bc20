"""What a proof is: the bounds that it covers, what it took, and the simplest schedule that breaks the handler."""

import html
from dataclasses import dataclass

from ..verdict import Run, Verdict
from .bounds import Bounds


@dataclass(frozen=True)
class Counterexample:
    """The simplest schedule that fails.

    `token` replays it; `sentence` says what is wrong; `story` tells the schedule line by line; `run` is the run with
    its trace, `verdict` the judgement of it (None where an invariant was asked instead), `plan` the misfortunes as a
    fault plan, which is the whole schedule when one node ran and none of its lives was put to sleep. `kind` is
    "outcome", "visible", "raised", "waits", "endless" or "invariant"; `steps` are (life, step) of each decision.
    """

    token: str
    sentence: str
    kind: str
    story: tuple
    run: Run
    verdict: Verdict | None
    schedule: tuple
    steps: tuple

    @property
    def plan(self):
        """The misfortunes as a fault plan."""
        return self.run.plan

    @property
    def trace(self):
        """The flight recorder's trace of the run."""
        return self.run.trace


@dataclass(frozen=True)
class Proof:
    """What `prove` found. `ok` is True only when everything within the bounds was explored and nothing failed.

    `states` are the global states seen, `runs` those in which all nodes had ended, `seconds` how long it took,
    `stopped` why it ended early ("" when it did not), `warnings` what makes the proof worth little.
    """

    name: str
    bounds: Bounds
    states: int
    runs: int
    seconds: float
    exhausted: bool
    stopped: str = ""
    counterexample: Counterexample | None = None
    warnings: tuple = ()

    @property
    def ok(self):
        """True when the handler is proved within the bounds."""
        return self.exhausted and self.counterexample is None

    @property
    def headline(self):
        """The verdict in a few words."""
        if self.counterexample is not None:
            return "Broken"
        return "Proved within these bounds" if self.exhausted else "Not proved"

    @property
    def sentences(self):
        """What there is to say, one sentence each."""
        took = f"{self.states:,} states and {self.runs:,} ends of runs in {self.seconds:.2f} s"
        found = []
        if self.counterexample is not None:
            found += [self.counterexample.sentence, f"Explored: {took}; bounds: {self.bounds}."]
        elif self.exhausted:
            found.append(f"Every schedule within the bounds ({self.bounds}) ends as it should: {took}.")
            found.append(
                "No node ever waits for another: stopped for good, the others never hold one up."
                if self.bounds.nodes > 1 or self.bounds.pauses
                else "Each life comes to its end by itself."
            )
        else:
            found.append(f"Nothing failed so far, but {self.stopped}, so this says nothing about the rest: {took}.")
        return [*found, *self.warnings]

    def __str__(self):
        lines = [f"{self.headline}: {self.name}", *self.sentences]
        if self.counterexample is not None:
            lines += ["", *self.counterexample.story, "", f"Token: {self.counterexample.token}"]
        return "\n".join(lines)

    def _repr_html_(self):
        mark, colour = ("✓", "#009E73") if self.ok else ("✗", "#D55E00") if self.counterexample else ("?", "#E69F00")
        told = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in self.sentences)
        story = ""
        if self.counterexample is not None:
            lines = "".join(f"<li>{html.escape(line)}</li>" for line in self.counterexample.story)
            story = f"<ol>{lines}</ol><p><code>{html.escape(self.counterexample.token)}</code></p>"
        return (
            f'<div class="eo-proof"><p style="color:{colour}"><b>{mark} {html.escape(self.headline)}: '
            f"{html.escape(self.name)}</b></p>{told}{story}</div>"
        )

    def json(self):
        """Return the proof as plain data."""
        found = self.counterexample
        return {
            "handler": self.name,
            "ok": self.ok,
            "exhausted": self.exhausted,
            "states": self.states,
            "runs": self.runs,
            "seconds": round(self.seconds, 3),
            "bounds": self.bounds.json(),
            "stopped": self.stopped,
            "warnings": list(self.warnings),
            "counterexample": None
            if found is None
            else {
                "token": found.token,
                "kind": found.kind,
                "sentence": found.sentence,
                "story": list(found.story),
                "plan": found.plan.token,
            },
        }
