"""What a check answers: right, wrong, or not solved yet; why; and the schedule that shows it, to be opened."""

import re
from dataclasses import dataclass, field
from html import escape
from typing import Any

from ...errors import BadInput
from ...faults import FORMAT
from ...pipeline import Job
from ...show import CSS, Picture, spacetime

LOOKS = {
    "right": ("✓", "Right.", "eo-is-good"),
    "wrong": ("✗", "Wrong.", "eo-is-bad"),
    "unsolved": ("·", "Not solved yet.", ""),
}
SHORTEST = 12  # characters of a first sentence: "Broken." alone says nothing


@dataclass(frozen=True)
class Reply:
    """The answer of a check. `state` is "right", "wrong" or "unsolved"; `sentence` says why.

    `run` is the evidence, if there is any: the counterexample of a proof, a verdict or a run; `handler` is the
    handler of that run. `picture` draws the run, or another result of the check. `traceback` holds the learner's own
    lines at which the code raised or hung; `offer` is a sentence on the next hint.
    """

    state: str
    sentence: str
    run: object = field(default=None, repr=False)
    handler: object = field(default=None, repr=False)
    picture: Picture | None = None
    traceback: str = field(default="", repr=False)
    offer: str = ""

    def __post_init__(self) -> None:
        run = getattr(self.run, "run", self.run)
        if run is not None and self.picture is None:
            object.__setattr__(self, "picture", spacetime(self.run))
        if not self.traceback:
            object.__setattr__(self, "traceback", getattr(run, "error", None) or "")

    @property
    def right(self) -> bool:
        """True for a right answer."""
        return self.state == "right"

    @property
    def story(self) -> tuple[Any, ...]:
        """The schedule of a counterexample, line by line."""
        return getattr(self.run, "explanation", ())

    @property
    def token(self):
        """The token of the evidence: of a schedule, or of a fault plan; "" where there is no run."""
        if self.run is None:
            return ""
        return getattr(self.run, "token", None) or getattr(self.run, "run", self.run).plan.token

    @property
    def replay(self):
        """The token in words: that of a fault plan says nothing of the job, unless it is the usual one."""
        job = getattr(self.run, "run", self.run).job if self.run is not None else None
        return f"{self.token} (with {job})" if self.token.startswith(f"{FORMAT}-") and job != Job() else self.token

    def debugger(self) -> Any:
        """Return the debugger, opened at this run, which is not performed again.

        Raises `BadInput` when there is no run to open.
        """
        from ...widgets import debugger

        if self.run is None:
            raise BadInput("This reply has no run to step through: what it says is in its sentence.")
        return debugger(self.run, self.handler)

    def __repr__(self) -> str:
        mark, word, _ = LOOKS[self.state]
        told = [*self.story, *self.traceback.splitlines()]
        lines = [f"{mark} {word} {self.sentence}", *(f"  {line}" for line in told)]
        lines += [f"  Token: {self.replay}"] if self.token else []
        return "\n".join([*lines, self.offer] if self.offer else lines)

    def html(self, offer=True):
        """Return the reply as a fragment: of a right one a sentence, the rest folded; of a wrong one all of it.

        `offer` tells whether the hint that is offered stands in it.
        """
        mark, word, look = LOOKS[self.state]
        first, rest = in_two(self.sentence) if self.right else (self.sentence, "")
        lines = "".join(f"<li>{escape(line)}</li>" for line in self.story)
        title = "The simplest schedule against it" if self.state == "wrong" else "The simplest schedule that shows it"
        more = [
            rest and f"<p>{escape(rest)}</p>",
            self.traceback and f'<pre class="eo-traceback">{escape(self.traceback.strip())}</pre>',
            self.picture and self.picture.fragment(),
            lines and f'<p class="eo-h">{title}</p><ol>{lines}</ol>',
            self.token and f'<p class="eo-dim">Token: <span class="eo-tag eo-token">{escape(self.replay)}</span></p>',
        ]
        more = "".join(filter(None, more))
        if self.right and more:
            more = f'<details class="eo-more"><summary>What it rests on</summary>{more}</details>'
        said = f'<p class="eo-offer">{escape(self.offer)}</p>' if self.offer and offer else ""
        return (
            f'<div class="eo-reply eo-reply-{self.state}"><p class="eo-says eo-banner {look}" role="status">'
            f"<strong>{mark} {word}</strong> {escape(first)}</p>{said}{more}</div>"
        )

    def _repr_html_(self) -> str:
        return f'<style>{CSS}</style><div class="eo">{self.html()}</div>'

    def _ipython_display_(self):
        """Show the reply, and below it the button that opens its run."""
        from IPython.display import display

        display({"text/plain": repr(self), "text/html": self._repr_html_()}, raw=True)
        if self.run is not None:
            from ...widgets.base.buttons import reveal_button

            display(reveal_button(self.debugger))


def in_two(text: str) -> tuple[str, str]:
    """Return the first sentence of a text, and the rest. A full stop in brackets does not end a sentence."""
    for end in re.finditer(r"[.!?]\s+", text):
        head = text[: end.end()].rstrip()
        if len(head) >= SHORTEST and head.count("(") == head.count(")"):
            return head, text[end.end() :]
    return text, ""


def unsolved(what: str = "an answer") -> Reply:
    """Return the reply to an exercise that nobody has worked on yet. `what` names the missing answer."""
    return Reply("unsolved", f"Put {what} where the three dots are, and run the cell again.")


def wrong(sentence, run=None, handler=None, picture=None, traceback=""):
    """Return the reply to a wrong answer.

    `run` is the evidence: the counterexample of a proof, a verdict or a run; it is drawn, its token is told, and a
    button opens it in the debugger, with the code of `handler`. `picture` is drawn in its place, or without a run.
    `traceback` holds the learner's own lines where the code raised or hung.
    """
    return Reply("wrong", sentence, run, handler, picture, traceback)


def right(sentence, run=None, handler=None, picture=None):
    """Return the reply to a right answer; the rest as in `wrong`."""
    return Reply("right", sentence, run, handler, picture)


def has_dots(answer: Any) -> bool:
    """Tell whether an answer, or an entry of it, is still the three dots of the exercise as it was handed out."""
    if isinstance(answer, dict):
        answer = list(answer.values())
    return answer is ... or (isinstance(answer, (list, tuple)) and any(entry is ... for entry in answer))
