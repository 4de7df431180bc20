"""`gap(…)`: a few lines of a chapter that the learner writes, checked like an exercise, with a way on for everybody.

stepped = gap("04-one-step", one_step)   # shows the reply of the check, and hints
one_step = stepped.or_library()          # the learner's own function if it is right, else the library's
"""

from dataclasses import replace
from html import escape
from typing import Any

from ...chapters.items import gap_named
from ...exercises.kinds.reply import wrong
from ...show import CSS
from ...show.base.picture import marked
from ..chapters import one_sentence_errors
from ..exercises.exercise import Exercise
from .built import borrowed, keep

WAY_ON = "The cells that follow go on with the library's version until yours is right."
LATER = "The library's version can be read here after two tries of your own."
YOURS = "The cells that follow go on with yours."


def gap(name: str, answer: Any) -> "Filled":
    """Return a `Filled` gap for display: the check's reply to the learner's lines, and hints.

    `name` is the gap's name, such as "04-one-step". Raises `BadInput` for an unknown name, as that
    of a gap that has left the course.
    """
    one_sentence_errors()
    task = gap_named(name)
    exercise, found = Exercise(name, task), borrowed(answer, (task.library, *task.refuses))
    if found is None:
        reply = exercise.check(answer)
        if reply.offer:  # a chapter has no name for the exercise, whose hint(1) an exercise's notebook can call
            reply = replace(reply, offer=f"Hint {exercise.offered} of {len(exercise.hints)}, folded below, may help.")
        if reply.right:
            keep(name, answer)
    else:
        reply = wrong(
            f"This hands the work to the library's {found}. Write the lines out; they are few, and hints are below."
        )
    return Filled(exercise, answer, reply)


class Filled:
    """A gap with the learner's lines in it. `reply` is the check's reply; `hint(1)` gives the first hint."""

    def __init__(self, exercise: Exercise, answer: Any, reply: Any) -> None:
        self.task, self.answer, self.reply = exercise.task, answer, reply
        self.hints, self.hint = exercise.hints, exercise.hint
        self.open = exercise.open

    def or_library(self) -> Any:
        """Return the learner's version if it is right, and the library's otherwise."""
        return self.answer if self.reply.right else self.task.library

    def __repr__(self) -> str:
        return f"{self.reply!r}\n  {YOURS if self.reply.right else WAY_ON}"

    def _ipython_display_(self) -> None:
        from IPython.display import display

        display(self.reply)
        display({"text/plain": YOURS if self.reply.right else WAY_ON, "text/html": self._repr_html_()}, raw=True)

    def _repr_html_(self) -> str:
        return f'<style>{CSS}</style><div class="eo eo-gap">{YOURS if self.reply.right else self._help()}</div>'

    def _help(self) -> str:
        hints = "".join(
            _unfolded(f"Hint {number} of {len(self.hints)}", f"<p>{marked(hint)}</p>", "eo-hint")
            for number, hint in enumerate(self.hints, 1)
        )
        library = f'<p class="eo-dim">{LATER}</p>'
        if self.open:
            library = _unfolded("The library's version", f"<pre>{escape(self.task.code)}</pre>", "eo-way-on")
        return f'{hints}{library}<p class="eo-dim">{WAY_ON}</p>'


def _unfolded(title: str, html: str, css: str) -> str:
    return f'<details class="eo-folded {css}"><summary>{title}</summary>{html}</details>'
