"""What a check answers: right, wrong, or not solved yet; why; and the schedule that shows it."""

from dataclasses import dataclass
from html import escape

from ..show import CSS, Picture

LOOKS = {
    "right": ("✓", "Right.", "#009E73"),
    "wrong": ("✗", "Wrong.", "#D55E00"),
    "unsolved": ("·", "Not solved yet.", "#0072B2"),
}


@dataclass(frozen=True)
class Reply:
    """The answer of a check. `state` is "right", "wrong" or "unsolved"; `sentence` says why.

    `story` tells the simplest schedule against a wrong answer, line by line; `picture` draws it, where there is one.
    """

    state: str
    sentence: str
    story: tuple = ()
    picture: Picture | None = None

    @property
    def right(self):
        """True for a right answer."""
        return self.state == "right"

    def __repr__(self):
        mark, word, _ = LOOKS[self.state]
        return "\n".join([f"{mark} {word} {self.sentence}", *(f"  {line}" for line in self.story)])

    def _repr_html_(self):
        mark, word, colour = LOOKS[self.state]
        lines = "".join(f"<li>{escape(line)}</li>" for line in self.story)
        story = f'<p class="eo-h">The simplest schedule against it</p><ol>{lines}</ol>' if lines else ""
        drawn = self.picture.fragment() if self.picture else ""
        return (
            f'<style>{CSS}</style><div class="eo eo-reply eo-reply-{self.state}" role="status">'
            f'<p><b style="color:{colour}">{mark} {word}</b> {escape(self.sentence)}</p>{story}{drawn}</div>'
        )


def unsolved(what="an answer"):
    """Return the reply to an exercise that nobody has worked on yet. `what` is what it asks for."""
    return Reply("unsolved", f"Put {what} where the three dots are, and run the cell again.")


def wrong(sentence, found=None, picture=None):
    """Return the reply to a wrong answer. `found` is the counterexample of a proof, if there is one."""
    return Reply("wrong", sentence, found.story if found else (), picture)
