"""Buttons outside the pages of widgets: one acts at once, one asks first, one makes a widget in its place."""

from collections.abc import Callable
from html import escape
from typing import Any

import ipywidgets

from ...errors import CourseError, in_one_line
from .controls import ErrorView


def _button(label: str, tip: str, css: str, style: str = "") -> Any:
    button = ipywidgets.Button(description=label, tooltip=tip, button_style=style, layout={"width": "auto"})
    return button.add_class(css)


class ActingButton(ipywidgets.HBox):
    """A button that acts at once. A sentence beside it announces the action, and afterwards states its result.

    `act()` returns the sentence on the result, or raises `CourseError` or `OSError`. `css` is the button's class, and
    `css`-says the sentence's.
    """

    def __init__(self, label, tip, sentence, act, css):
        self.button = _button(label, tip, css)
        self.says = ipywidgets.HTML().add_class(f"{css}-says")
        self._act = act
        self.button.on_click(lambda _: self._go())
        self.say(sentence)
        super().__init__([self.button, self.says], layout={"align_items": "center", "flex_flow": "row wrap"})

    def say(self, sentence, again=True):
        """Put another sentence beside the button; unless `again`, it cannot be pressed any more."""
        self.says.value, self.button.disabled = escape(sentence), not again

    def _go(self):
        self.button.disabled = True
        try:
            self.say(self._act(), again=False)
        except (CourseError, OSError) as why:
            self.say(f"It did not go through: {why}")


class AskingButton(ipywidgets.VBox):
    """A button that acts after one more click; the result of the action stands below it.

    `question` is HTML; `act()` returns the lines on the result; if it raises, the error is shown instead. `css` is
    the first button's class; the others' are `css`-yes, `css`-no and `css`-says.
    """

    def __init__(self, label, tip, question, yes, no, act, css):
        self._question, self._act = question, act
        self.ask = _button(label, tip, css)
        self.yes = _button(*yes, f"{css}-yes", "danger")
        self.no = _button(*no, f"{css}-no")
        self.says = ipywidgets.HTML().add_class(f"{css}-says")
        self.question = ipywidgets.HBox([self.yes, self.no])
        self.question.layout.display = "none"
        self.ask.on_click(lambda _: self._show(asking=True))
        self.no.on_click(lambda _: self._show(asking=False))
        self.yes.on_click(lambda _: self._go())
        super().__init__([self.ask, self.question, self.says], layout={"align_items": "flex-start"})

    def _show(self, asking: bool, says: str = "") -> None:
        self.ask.disabled = asking
        self.question.layout.display = "flex" if asking else "none"
        self.says.value = self._question if asking else says

    def _go(self) -> None:
        try:
            lines = self._act()
        except Exception as why:  # noqa: BLE001 - an error in a callback is invisible unless it is shown
            lines = [f"It did not go through: {why if isinstance(why, CourseError | OSError) else in_one_line(why)}"]
        self._show(asking=False, says="<br>".join(escape(line) for line in lines))


class RevealButton(ipywidgets.VBox):
    """The button, or the widget that it made. A notebook that is read without its kernel shows words in its place."""

    def __repr__(self):
        return "Run this cell again for the button that opens it in the debugger."


def reveal_button(make: Callable[..., Any], title: str = "Open in the debugger") -> RevealButton:
    """Return the button. `make` takes nothing and returns the widget; an error of `make` is shown in its place."""
    button = ipywidgets.Button(description=title, icon="bug", layout={"width": "auto"}).add_class("eo-open-debugger")
    box = RevealButton([ipywidgets.HBox([button])])  # a button alone would be stretched

    def open_it(_: Any) -> None:
        try:
            below = make()
        except Exception as why:  # noqa: BLE001 - an error in a callback is invisible unless it is shown
            said = ErrorView.of(why, what="What this button opens")
            below = ipywidgets.HTML(f'<p class="eo-says eo-is-bad">{escape(said.message)}</p>')
        box.children = (below,)

    button.on_click(open_it)
    return box
