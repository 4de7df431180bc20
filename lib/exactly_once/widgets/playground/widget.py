"""The clock playground on the screen: its JavaScript draws and reports the learner's actions."""

from ..base.widget import HtmlWidget, css, esm
from .model import ClockPlaygroundModel
from .view import screen


class ClockPlayground(HtmlWidget, view=screen):
    """The clock playground. `model` is its `ClockPlaygroundModel`; `picture` is data, each other trait holds HTML."""

    _esm = esm("playground/picture.js", "playground/keys.js", "playground/clock_playground.js")
    _css = css("playground/clock_playground.css")

    @property
    def history(self):
        """The drawn run, as a `History`."""
        return self.model.state.drawing.history

    def on_message(self, do, value):
        """Carry out a request of the page. With the answer comes a text: a file to save, or the text of the box."""
        if do not in ("download", "show_text"):
            return super().on_message(do, value)
        name, text = self.model.saved(value or "jsonl")
        return {"file": {"name": name, "text": text}} if do == "download" else {"text": text}

    def __repr__(self):
        drawing = self.model.state.drawing
        return f"Clock playground: {len(drawing.dots)} events on {len(drawing.lines)} processes"


def clock_playground(run=None):
    """Return the clock playground: draw events and messages, and Lamport and vector stamps follow; with a quiz.

    run: the first run: a `History`, a trace, or the text of a log (JSON lines, or one for ShiViz); without it a small
    example. Raises `BadInput` for anything else, for a log that cannot have happened, and for one that is too
    large to be drawn.
    """
    return ClockPlayground(ClockPlaygroundModel(run))
