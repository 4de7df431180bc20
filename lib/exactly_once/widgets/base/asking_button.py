"""A button that asks before it acts; the result of the action stands below it."""

from html import escape

import ipywidgets

from ...errors import CourseError, in_one_line


class AskingButton(ipywidgets.VBox):
    """A button that acts after one more click.

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

    def _show(self, asking, says=""):
        self.ask.disabled = asking
        self.question.layout.display = "flex" if asking else "none"
        self.says.value = self._question if asking else says

    def _go(self):
        try:
            lines = self._act()
        except Exception as why:  # noqa: BLE001 - an error in a callback is invisible unless it is shown
            lines = [f"It did not go through: {why if isinstance(why, CourseError | OSError) else in_one_line(why)}"]
        self._show(asking=False, says="<br>".join(escape(line) for line in lines))


def _button(label, tip, css, style=""):
    button = ipywidgets.Button(description=label, tooltip=tip, button_style=style, layout={"width": "auto"})
    return button.add_class(css)
