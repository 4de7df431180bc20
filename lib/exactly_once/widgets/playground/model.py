"""The clock playground without its screen: the run that is drawn, what is chosen, what can be undone, and the
quiz.
"""

import traceback
from dataclasses import dataclass, field, replace

from ...clocks import History
from ...clocks.formats.files import FORMS, read_text
from ...errors import BadInput, CourseError, one_of, whole
from ...trace import Trace
from . import quiz as quizzes
from .run import Drawing

MODES = ("draw", "quiz")
TOOLS = ("event", "message")
FILES = {"jsonl": "run.jsonl", "shiviz": "run.shiviz.txt"}
LONGEST_TEXT = 2_000_000
REMEMBERED = 200


@dataclass(frozen=True)
class State:
    """All that a screen needs to know. It is replaced as a whole."""

    drawing: Drawing
    mode: str = "draw"
    tool: str = "event"
    vector: bool = False
    chosen: tuple = ()
    error: str = ""
    text_error: str = ""
    note: str = ""
    preview: Drawing | None = None
    refused: str = ""
    quiz: quizzes.Quiz = field(default_factory=quizzes.Quiz)


def example():
    """Return a small run to begin with: three processes, four messages of which one overtakes another."""
    drawing = Drawing.empty(3)
    drawing, _ = drawing.with_event(1, 1)
    for start, end in (((1, 2), (2, 6.5)), ((1, 3.5), (2, 4.5)), ((2, 8), (3, 9.5)), ((3, 1), (1, 5.5))):
        drawing = drawing.with_message(start, end)
    drawing, _ = drawing.with_event(3, 4.5)
    return drawing.lettered()


class ClockPlaygroundModel:
    """The playground's run and quiz. `run` is a `History`, a `Trace`, the text of a log, or None for a small example.

    Raises `BadInput` for anything else, and for a run that is too large to be drawn.
    """

    def __init__(self, run=None):
        self.state = State(example() if run is None else drawing_of(run), quiz=quizzes.put())
        self.past, self.future = [], []

    def do(self, action, value=None):
        """Carry out one action of the learner. Whatever goes wrong stands in `state.error`, and the run as it was."""
        before = self.state
        try:
            one_of("the playground's action", action, self.actions())
            self.state = replace(before, error="", text_error="", note="", refused="", preview=None)
            self.actions()[action](value)
        except CourseError as why:
            self.state = replace(before, preview=None)
            self.fail(why, at_text=action == "load")
        except (TypeError, ValueError, KeyError, IndexError):
            self.state = replace(before, error=f"The playground cannot do {action!r} with {str(value)[:60]!r}.")
        except Exception:  # noqa: BLE001 - an error in a callback is invisible unless the playground shows it
            self.state = replace(before, error=f"The playground itself failed: {traceback.format_exc(limit=-3)}")

    def actions(self):
        """Return the actions that `do` knows, by name."""
        return {
            "mode": lambda value: self._set(mode=one_of("the mode", value, MODES)),
            "tool": lambda value: self._set(tool=one_of("the tool", value, TOOLS)),
            "vector": lambda _: self._set(vector=not self.state.vector),
            "event": lambda value: self._draw(self.state.drawing.with_event(*value)[0]),
            "message": lambda value: self._draw(self.state.drawing.with_message(*map(_end, value))),
            "preview": self.preview,
            "steady": lambda _: None,
            "move": lambda value: self._draw(self.state.drawing.moved(*value)),
            "choose": self.choose,
            "clear_choice": lambda _: self._set(chosen=()),
            "delete": self.delete,
            "add_process": lambda _: self._draw(self.state.drawing.with_line()),
            "remove_process": lambda value: self._draw(self.state.drawing.without_line(value)),
            "rename": lambda value: self._draw(self.state.drawing.renamed(*value)),
            "line_up": lambda _: self._draw(self.state.drawing.lined_up()),
            "example": lambda _: self._draw(example()),
            "clear": lambda _: self._draw(replace(Drawing.empty(), lines=self.state.drawing.lines)),
            "undo": lambda _: self._back(self.past, self.future, "undo"),
            "redo": lambda _: self._back(self.future, self.past, "do again"),
            "load": self.load,
            "level": lambda value: self._quiz(quizzes.put(_number(value, "the level"), score=self.state.quiz.score)),
            "number": self.number,
            "pick": lambda value: self._quiz(quizzes.picked(self.state.quiz, value)),
            "answers": lambda value: self._quiz(quizzes.typed(self.state.quiz, value)),
            "check": lambda value: self._quiz(quizzes.checked(self.state.quiz, value)),
            "show": lambda _: self._quiz(quizzes.shown(self.state.quiz)),
            "next": lambda _: self._quiz(quizzes.following(self.state.quiz)),
        }

    # -- what a learner does ---------------------------------------------------------------------------------------

    def preview(self, value):
        """Show the stamps as they would be with an event moved to another place; nothing is changed yet."""
        try:
            self._set(preview=self.state.drawing.moved(*value))
        except BadInput as why:
            self._set(refused=str(why))

    def choose(self, name):
        """Choose an event, or give it up again when it is chosen; a third one takes the place of the first."""
        self.state.drawing.dot(name)
        chosen = self.state.chosen
        left = tuple(each for each in chosen if each != name)
        self._set(chosen=left if name in chosen else (*left[-1:], name))

    def delete(self, name=None):
        """Delete the event of this name, or those that are chosen."""
        names = (name,) if name else self.state.chosen
        if not names:
            raise BadInput("No event is chosen; click on one, then delete it.")
        self._draw(self.state.drawing.without(names))

    def load(self, text):
        """Draw the run that a text holds: JSON lines, or a log for ShiViz."""
        drawing = drawing_of(str(text))
        self._draw(drawing)
        self._set(note=f"Loaded: {len(drawing.dots)} events on {len(drawing.lines)} processes.", mode="draw")

    def saved(self, form="jsonl"):
        """Return (file name, text) of the run, as JSON lines ("jsonl") or for ShiViz ("shiviz").

        Raises `BadInput` for another form, and for a run that the form cannot say.
        """
        one_of("the form", form, FILES)
        return FILES[form], FORMS[form](self.state.drawing.history)

    def number(self, value):
        """Go to the quiz's run of this number."""
        quiz = self.state.quiz
        self._quiz(quizzes.put(quiz.level, _number(value, "the number of the run"), score=quiz.score))

    def fail(self, why, at_text=True):
        """Show an error: at the box for the text of a run, or above the picture."""
        said = {"text_error": str(why), "error": ""} if at_text else {"error": str(why), "text_error": ""}
        self._set(note="", refused="", **said)

    # -- how it is kept --------------------------------------------------------------------------------------------

    def _set(self, **changes):
        self.state = replace(self.state, **changes)

    def _draw(self, drawing):
        """Replace the drawing, remember the old one, and keep of the choice what is still there."""
        if drawing == self.state.drawing:
            return
        self.past = [*self.past, self.state.drawing][-REMEMBERED:]
        self.future = []
        self._show(drawing)

    def _back(self, there, here, what):
        if not there:
            raise BadInput(f"There is nothing to {what}.")
        here.append(self.state.drawing)
        self._show(there.pop())

    def _show(self, drawing):
        self._set(drawing=drawing, chosen=tuple(name for name in self.state.chosen if name in drawing.places))

    def _quiz(self, quiz):
        self._set(quiz=quiz)


def drawing_of(run):
    """Return the drawing of a `History`, a `Trace` or the text of a log. Raises `BadInput` for anything else."""
    if isinstance(run, History):
        return Drawing.of(run)
    if isinstance(run, Trace):
        run = "\n".join(event.json() for event in run)
    if not isinstance(run, str):
        raise BadInput(
            f"The playground cannot draw {str(run)[:60]!r}; give it a History, a trace, or the text of a log."
        )
    if len(run) > LONGEST_TEXT:
        raise BadInput(f"This text has {len(run)} characters; the playground reads {LONGEST_TEXT} at most.")
    histories = read_text(run)
    if len(histories) > 1:
        raise BadInput(f"This log holds {len(histories)} executions; leave one of them in the text.")
    return Drawing.of(histories[0][1])


def _end(value):
    """Return an end of a message as the drawing takes it: an event's name, or (line, column)."""
    return value if isinstance(value, str) else tuple(value)


def _number(value, name):
    """Return a number that was typed. Raises `BadInput` for anything else."""
    text = str(value).strip()
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadInput(f"{name.capitalize()} is {text[:20]!r}; type a whole number.")
    return whole(name, int(text))
