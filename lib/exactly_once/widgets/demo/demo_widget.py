"""The demo on the screen: one crash console, shown as console and as scrubber, and one adversary."""

from typing import Any

import anywidget

from ...handlers.stream.in_short import at_least_once
from ..adversary.adversary_widget import adversary
from ..base.widget import css, esm
from ..console.console_widget import crash_console


class Demo(anywidget.AnyWidget):
    """The page for a projector. It fills the window, and its JavaScript shows one of its screens at a time."""

    _esm = esm("demo/demo.js")
    _css = css("demo/demo.css")
    console = anywidget.WidgetTrait().tag(sync=True)
    adversary = anywidget.WidgetTrait().tag(sync=True)

    def __init__(self) -> None:
        super().__init__(console=crash_console(), adversary=adversary(at_least_once))
        self.on_msg(self._heard)

    def _heard(self, _: Any, content: Any, __: Any) -> None:
        """Answer the page, which asks whether there is still a kernel behind it."""
        self.send({"heard": content.get("number") if isinstance(content, dict) else None})

    def __repr__(self) -> str:
        return "Demo: console, scrubber and adversary on one page."


def demo() -> Demo:
    """Return the page for a projector, with a crash console and an adversary of the handler `at_least_once`."""
    return Demo()
