"""What a check answers: right, wrong, or not solved yet; why; and the schedule that shows it, to be opened."""

from dataclasses import dataclass, field
from html import escape

from ...errors import BadInput
from ...faults import FORMAT
from ...pipeline import Job
from ...show import CSS, Picture, spacetime

LOOKS = {
    "right": ("✓", "Right.", "#009E73"),
    "wrong": ("✗", "Wrong.", "#D55E00"),
    "unsolved": ("·", "Not solved yet.", "#0072B2"),
}


@dataclass(frozen=True)
class Reply:
    """The answer of a check. `state` is "right", "wrong" or "unsolved"; `sentence` says why.

    `run` is what shows it, where there is such a thing: the counterexample of a proof, a verdict or a run, and
    `handler` the one that ran. `picture` draws it, or something else that the check has to show. `traceback` holds
    the learner's own lines where the code raised or hung.
    """

    state: str
    sentence: str
    run: object = field(default=None, repr=False)
    handler: object = field(default=None, repr=False)
    picture: Picture | None = None
    traceback: str = field(default="", repr=False)

    def __post_init__(self):
        if self.run is not None and self.picture is None:
            object.__setattr__(self, "picture", spacetime(getattr(self.run, "run", self.run)))

    @property
    def right(self):
        """True for a right answer."""
        return self.state == "right"

    @property
    def story(self):
        """The schedule of a counterexample, line by line."""
        return getattr(self.run, "explanation", ())

    @property
    def token(self):
        """The token of what shows it: of a schedule, or of a fault plan; "" where there is no run."""
        if self.run is None:
            return ""
        return getattr(self.run, "token", None) or getattr(self.run, "run", self.run).plan.token

    @property
    def replay(self):
        """The token in words: that of a fault plan says nothing of the job, unless it is the usual one."""
        job = getattr(self.run, "run", self.run).job if self.run is not None else None
        return f"{self.token} (with {job})" if self.token.startswith(f"{FORMAT}-") and job != Job() else self.token

    def debugger(self):
        """Return the debugger, opened at this run, which is not performed again.

        Raises `BadInput` when there is no run to open.
        """
        from ...widgets import debugger

        if self.run is None:
            raise BadInput("This reply has no run to step through: what it says is in its sentence.")
        return debugger(self.run, self.handler)

    def __repr__(self):
        mark, word, _ = LOOKS[self.state]
        told = [*self.story, *self.traceback.splitlines()]
        lines = [f"{mark} {word} {self.sentence}", *(f"  {line}" for line in told)]
        return "\n".join([*lines, f"  Token: {self.replay}"] if self.token else lines)

    def _repr_html_(self):
        mark, word, colour = LOOKS[self.state]
        lines = "".join(f"<li>{escape(line)}</li>" for line in self.story)
        title = "The simplest schedule against it" if self.state == "wrong" else "The simplest schedule that shows it"
        story = f'<p class="eo-h">{title}</p><ol>{lines}</ol>' if lines else ""
        drawn = self.picture.fragment() if self.picture else ""
        trace = f'<pre class="eo-traceback">{escape(self.traceback.strip())}</pre>' if self.traceback else ""
        token = f'<p class="eo-dim">Token: <span class="eo-tag eo-token">{escape(self.replay)}</span></p>'
        return (
            f'<style>{CSS}</style><div class="eo eo-reply eo-reply-{self.state}" role="status">'
            f'<p><b style="color:{colour}">{mark} {word}</b> {escape(self.sentence)}</p>{trace}{story}{drawn}'
            f"{token if self.token else ''}</div>"
        )

    def _ipython_display_(self):
        """Show the reply, and below it the button that opens its run."""
        from IPython.display import display

        display({"text/plain": repr(self), "text/html": self._repr_html_()}, raw=True)
        if self.run is not None:
            from ...widgets.base.reveal_button import reveal_button

            display(reveal_button(self.debugger))


def unsolved(what="an answer"):
    """Return the reply to an exercise that nobody has worked on yet. `what` is what it asks for."""
    return Reply("unsolved", f"Put {what} where the three dots are, and run the cell again.")


def wrong(sentence, run=None, handler=None, picture=None, traceback=""):
    """Return the reply to a wrong answer.

    `run` is what shows it: the counterexample of a proof, a verdict or a run; it is drawn, its token is told, and a
    button opens it in the debugger, with the code of `handler`. `picture` is drawn in its place, or without a run.
    `traceback` holds the learner's own lines where the code raised or hung.
    """
    return Reply("wrong", sentence, run, handler, picture, traceback)


def right(sentence, run=None, handler=None, picture=None):
    """Return the reply to a right answer; the rest as in `wrong`."""
    return Reply("right", sentence, run, handler, picture)


def has_dots(answer):
    """Tell whether an answer, or an entry of it, is still the three dots of the exercise as it was handed out."""
    if isinstance(answer, dict):
        answer = list(answer.values())
    return answer is ... or (isinstance(answer, (list, tuple)) and any(entry is ... for entry in answer))
