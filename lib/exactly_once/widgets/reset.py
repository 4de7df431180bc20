"""The button *Reset this chapter*, which asks before it does anything."""

from html import escape

import ipywidgets

from ..course.chapter import chapter_named, title
from ..course.reset import reset_chapter
from ..course.work import FOLDER
from ..errors import CourseError


class ResetButton(ipywidgets.VBox):
    """A button that brings a chapter back to how it came, after one more click; what it did stands below it."""

    def __init__(self, name):
        self.name = chapter_named(name)
        self.ask = _button("Reset this chapter", "eo-reset", "bring the notebook back to how it came")
        self.yes = _button("Yes, reset it", "eo-reset-yes", "keep my version, then reset", "danger")
        self.no = _button("Leave it as it is", "eo-reset-no", "do nothing")
        self.says = ipywidgets.HTML().add_class("eo-reset-says")
        self.question = ipywidgets.HBox([self.yes, self.no])
        self.question.layout.display = "none"
        self.ask.on_click(lambda _: self._show(asking=True))
        self.no.on_click(lambda _: self._show(asking=False))
        self.yes.on_click(lambda _: self._reset())
        super().__init__([self.ask, self.question, self.says], layout={"align_items": "flex-start"})

    def _show(self, asking, says=""):
        self.ask.disabled = asking
        self.question.layout.display = "flex" if asking else "none"
        if asking:
            says = (
                f"Chapter {escape(title(self.name))} goes back to how it came, and its cluster stops. "
                "<b>Save first</b> (Ctrl-S): your version, as it was last saved, is kept in the folder "
                f"<code>{FOLDER}/</code>."
            )
        self.says.value = says

    def _reset(self):
        try:
            lines = reset_chapter(self.name)
        except (CourseError, OSError) as why:
            lines = [f"The reset did not go through: {why}"]
        self._show(asking=False, says="<br>".join(escape(line) for line in lines))


def reset_button(name):
    """Return a `ResetButton` for a chapter such as "04-crash-points". Raises `BadInput` for any other name."""
    return ResetButton(name)


def _button(words, css, tip, style=""):
    button = ipywidgets.Button(description=words, tooltip=tip, button_style=style, layout={"width": "auto"})
    return button.add_class(css)
