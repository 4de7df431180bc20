"""What the widgets have in common: files of the page, messages that it sends, the width of its place."""

from pathlib import Path

import anywidget

from ... import show

HERE = Path(__file__).parents[1]
NARROW, WIDE = 480, 1900


def esm(*names):
    """Return the JavaScript of a page: what all pages share, and these files."""
    return "".join((HERE / name).read_text() for name in ("base/page.js", *names))


def css(*names):
    """Return the style sheet of a page: that of the pictures, of the controls, and these files."""
    return show.CSS + "".join((HERE / name).read_text() for name in ("base/controls.css", *names))


class HtmlWidget(anywidget.AnyWidget):
    """A widget whose regions are traits that hold HTML. The page draws them, and sends {do, value} for each click.

    A subclass gives `draw`, which brings the regions up to the state of its `model`; what the page asks for goes to
    `model.do`, save its width, in pixels, which diagrams are drawn for.
    """

    def __init__(self, model, **regions):
        self.model, self._width = model, 900
        super().__init__(**regions)
        self.on_msg(self._heard)

    def _heard(self, _, content, __):
        """Hear a message of the page. Runs on the kernel's main thread, so it only starts things."""
        content = content if isinstance(content, dict) else {}
        self.hear(content.get("do"), content.get("value"))

    def hear(self, do, value):
        """Do what the page asks for."""
        if do == "width":
            self.set_width(value)
        else:
            self.model.do(str(do), value)

    def set_width(self, width):
        """Draw for the place that the page gives, in pixels."""
        width = max(NARROW, min(WIDE, int(width))) if isinstance(width, (int, float)) else self._width
        if width != self._width:
            self._width = width
            self.draw()
