"""The clock playground without its screen: the drawn run, the chosen events and the undo list."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ...clocks import Event, History
from ...errors import BadInput, number_in, one_of
from ..base.model import BaseState, Model
from .drawn_run import Drawing

TOOLS = ("event", "message")
REMEMBERED = 200
FLEETING: dict[str, Any] = {"preview": None}  # reset by the next action


@dataclass(frozen=True)
class State(BaseState):
    """The state of the screen. It is replaced as a whole."""

    drawing: Drawing
    tool: str = "event"
    vector: bool = False
    chosen: tuple = ()
    preview: Drawing | None = None


EXAMPLE = (  # process, column, kind, message: one message overtakes another
    ("P1", 1, "local"), ("P1", 2, "send", "1"), ("P1", 3.5, "send", "2"), ("P1", 5.5, "receive", "4"),
    ("P2", 4.5, "receive", "2"), ("P2", 6.5, "receive", "1"), ("P2", 8, "send", "3"),
    ("P3", 1, "send", "4"), ("P3", 4.5, "local"), ("P3", 9.5, "receive", "3"),
)  # fmt: skip


def example():
    """Return a small first run: three processes and four messages."""
    events = [Event(process, kind, *message) for process, _, kind, *message in EXAMPLE]
    return Drawing.of(History(events), [column for _, column, *_ in EXAMPLE])


class ClockPlaygroundModel(Model):
    """The playground's run, first a small example."""

    what = "The playground"

    def __init__(self) -> None:
        super().__init__(State(example()))
        self.past, self.future = [], []  # drawings before a change; after an undo, the undone ones

    def actions(self) -> dict[str, Callable[..., Any]]:
        """Return the actions that `do` knows, by name."""
        return {
            "tool": lambda value: self._set(tool=one_of("the tool", value, TOOLS)),
            "vector": lambda _: self._set(vector=not self.state.vector),
            "event": lambda value: self._draw(self.state.drawing.with_event(*value)[0]),
            "message": lambda value: self._draw(self.state.drawing.with_message(*map(_end, value))),
            "preview": lambda value: self._set(preview=self.state.drawing.moved(*value)),  # as if it were there
            "steady": lambda _: self._set(),
            "move": lambda value: self._draw(self.state.drawing.moved(*value)),
            "choose": self.choose,
            "clear_choice": lambda _: self._set(chosen=()),
            "delete": self.delete,
            "add_process": lambda _: self._draw(self.state.drawing.with_line()),
            "remove_process": lambda value: self._draw(self.state.drawing.without_line(number_in(value))),
            "rename": lambda value: self._draw(self.state.drawing.renamed(*value)),
            "line_up": lambda _: self._draw(self.state.drawing.lined_up()),
            "example": lambda _: self._draw(example()),
            "clear": lambda _: self._draw(replace(Drawing.empty(), lines=self.state.drawing.lines)),
            "undo": lambda _: self._back(self.past, self.future, "undo"),
            "redo": lambda _: self._back(self.future, self.past, "do again"),
        }

    # -- the actions of a learner ------------------------------------------------------------------------------------

    def choose(self, name: Any) -> None:
        """Choose an event, or drop it when it is chosen already; a third event takes the place of the first."""
        self.state.drawing.dot(name)
        chosen = self.state.chosen
        left = tuple(each for each in chosen if each != name)
        self._set(chosen=left if name in chosen else (*left[-1:], name))

    def delete(self, name: str | None = None) -> None:
        """Delete the event of this name, or the chosen events."""
        names = (name,) if name else self.state.chosen
        if not names:
            raise BadInput("No event is chosen; click on one, then delete it.")
        self._draw(self.state.drawing.without(names))

    # -- undo and settings -------------------------------------------------------------------------------------------

    def restore(self, moment: State) -> None:
        """Bring back an earlier state."""
        self.update(**vars(moment) | FLEETING)

    def _set(self, **changes: Any) -> None:
        self.update(**FLEETING | changes)

    def _draw(self, drawing: Drawing) -> None:
        """Replace the drawing, remember the old one, and keep the chosen events that the new one has."""
        if drawing == self.state.drawing:
            self._set()
            return
        self.past, self.future = [*self.past, self.state.drawing][-REMEMBERED:], []
        self._show(drawing)

    def _back(self, there: list[Any], here: list[Any], what: str) -> None:
        if not there:
            raise BadInput(f"There is nothing to {what}.")
        here.append(self.state.drawing)
        self._show(there.pop())

    def _show(self, drawing: Drawing) -> None:
        self._set(drawing=drawing, chosen=tuple(name for name in self.state.chosen if name in drawing.places))


def _end(value: Any) -> Any:
    """Return an end of a message in the drawing's form: an event's name, or (line, column)."""
    return value if isinstance(value, str) else tuple(value)
