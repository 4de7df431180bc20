"""The common parts of the widgets on the screen: the page's files, its messages, the drawing of regions."""

import base64
import gzip
import re
import threading
import uuid
from html import escape
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ... import show
from .controls import ErrorView, error_html

HERE = Path(__file__).parents[1]
NARROW, WIDE = 360, 1900


PACKED = """const bytes = Uint8Array.from(atob("%s"), (each) => each.charCodeAt(0));
const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
const page = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
export default (await import(page)).default;
"""


def esm(*names: str, core: bool = False) -> str:
    """Return the module of a page, packed: each widget of a notebook brings the whole of it, and there are many."""
    packed = gzip.compress(script(*names, core=core).encode(), mtime=0)
    return PACKED % base64.b64encode(packed).decode()


def script(*names: str, core: bool = False) -> str:
    """Return the JavaScript of a page: the part of all pages, that of instruments (not with `core`), these files."""
    shared = ("base/page.js",) if core else ("base/page.js", "base/instrument.js")
    return _read(*shared, *names)


def css(*names: str, core: bool = False) -> str:
    """Return the style sheet of a page: the pictures' and the controls' style sheets, and these files.

    With `core`, for a card, only what its letters, its buttons and its sentences need.
    """
    shared = ("base/card.css",) if core else ("base/card.css", "base/controls.css")
    text = _bare(show.CORE if core else show.CSS) + _read(*shared, *names)
    return re.sub(r"([{;][\w-]+): ", r"\1:", re.sub(r"\s*([{};,])\s*", r"\1", text)).replace(";}", "}")


def _read(*names: str) -> str:
    return "".join(_bare((HERE / name).read_text()) for name in names)


def _bare(text: str) -> str:
    """Return a file without comments and indentation: each widget brings all of its page into the notebook's page."""
    lines = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).splitlines()
    return "".join(f"{bare}\n" for line in lines if (bare := line.strip()) and not bare.startswith("//"))


class HtmlWidget(anywidget.AnyWidget):
    """A widget whose regions are traits that hold HTML. The page draws them, and sends {do, value} for each click.

    A subclass names its page and its view: `class TwinsConsole(HtmlWidget, page="twins/twins", view=fragments)` has
    the page twins.js and its style sheet twins.css in the folder twins; `view(model, width)` returns {trait: value},
    and each name in it becomes a trait. A card, with `core`, has the smaller page. Requests of the page go to
    `model.do`, except the page's width in pixels, which sets the width of the diagrams. `stale` describes the result
    on the screen when it no longer fits the controls, `error` holds errors of the kernel, `opened` is another widget
    below this one, such as the debugger. `drawn` counts the drawings: a page that has not got the last one is sent it
    when it says "hello".
    """

    stale = traitlets.Unicode().tag(sync=True)
    opened = anywidget.WidgetTrait().tag(sync=True)
    drawn = traitlets.Int().tag(sync=True)
    comm_id = traitlets.Unicode().tag(sync=True)

    def __init_subclass__(cls, page="", view=None, core=False, **more):
        if page:
            cls._esm, cls._css = esm(f"{page}.js", core=core), css(f"{page}.css", core=core)
        if view:
            cls.view = staticmethod(view)
        super().__init_subclass__(**more)

    def __init__(self, model: Any, **fixed: Any) -> None:
        self.model, self._width, self._drawing = model, 900, threading.RLock()
        found = {**self._common(), **self.fragments(), **fixed}
        self.add_traits(**{name: traitlets.Any().tag(sync=True) for name in found if not self.has_trait(name)})
        name = uuid.uuid4().hex
        super().__init__(**found, model_id=name, comm_id=name)
        model.changed = self.draw
        self.on_msg(self._heard)

    def fragments(self) -> dict[str, str]:
        """Return {trait: value}, a fragment of HTML for each region, from the state of the model."""
        return self.view(self.model, self._width)

    def _common(self) -> dict[str, str]:
        state = self.model.state
        return {"error": error_html(state.error), "busy": state.busy}

    def _found(self) -> dict[str, str]:
        try:
            return {**self._common(), **self.fragments()}
        except Exception as why:  # noqa: BLE001 - an error in a callback is invisible unless the widget shows it
            return {"error": error_html(ErrorView.of(why, what=self.model.what))}

    def _repr_mimebundle_(self, **kwargs):
        """Return the data that a notebook saves: the widget, and for a page without its kernel what to do."""
        data = super()._repr_mimebundle_(**kwargs)
        data = data[0] if isinstance(data, tuple) else data
        if data is None:
            return None
        told = f"<p>{escape(repr(self))}</p><p><em>{escape(show.AGAIN)}</em></p>"
        return {**data, "text/plain": f"{self!r}\n{show.AGAIN}", "text/html": told}

    def draw(self) -> None:
        """Draw the model's state on the screen. Called from any thread."""
        with self._drawing, self.hold_sync():
            for name, value in self._found().items():
                setattr(self, name, value)
            self.drawn += 1

    def greet(self, drawn: int | None) -> None:
        """Send the last drawing to a page that has another one.

        A page that is loaded asks for the states of the widgets first, and listens once it has made its models of
        them: what is drawn in between is lost.
        """
        with self._drawing:
            if drawn != self.drawn:
                self.send_state(set(self.keys) - {"_esm", "_css"})

    def _heard(self, _, content, __):
        """Receive a message of the page, and answer. Runs on the kernel's main thread, so it only starts work."""
        content = content if isinstance(content, dict) else {}
        if content.get("do") == "hello":
            self.greet(content.get("value"))
            return
        answer = {"heard": content.get("number")}
        try:
            answer.update(self.on_message(content.get("do"), content.get("value")) or {})
        except Exception as why:  # noqa: BLE001 - an error in a callback is invisible unless the widget shows it
            self.model.fail(why)
        for model in self.models():
            trouble = model.state.error
            if trouble is not None and trouble.field and trouble.field != content.get("do"):
                answer["field"] = trouble.field  # the page moves the focus back to the field with the error
        self.send(answer)

    def models(self) -> tuple[Any, ...]:
        """Return the models whose states are on the screen."""
        return (self.model,)

    def openings(self) -> dict[Any, Any]:
        """Return {request: function that makes the widget which is then shown below this one}."""
        return {}

    def on_message(self, do: Any, value: Any) -> None:
        """Carry out a request of the page; return further fields of the answer, a dictionary or None."""
        if do == "width":
            self.set_width(value)
        elif do in (openings := self.openings()):
            self.opened = openings[do]()
        elif do != "ping":
            self.model.do(str(do), value)

    def set_width(self, width: Any) -> None:
        """Draw for the width that the page sends, in pixels."""
        width = max(NARROW, min(WIDE, int(width))) if isinstance(width, (int, float)) else self._width
        if width != self._width:
            self._width = width
            self.draw()
