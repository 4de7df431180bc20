"""The prove console on the screen: one handler, the bounds, the verdict, and the simplest schedule that breaks it."""

import threading
from html import escape

from ... import show
from ...errors import one_of
from ...explore.bounds import Bounds
from ...handlers import STRATEGIES
from ...node.program import checked_handler
from ...sandbox import pool as sandbox
from ..base.controls import field, select
from ..base.widget import HtmlWidget, css, esm
from ..debug.widget import debugger
from .model import ProveModel
from .view import bounds_html, found_html, progress_html, verdict_html


class ProveConsole(HtmlWidget):
    """The prove console. `model` is its `ProveModel`; `opened` is the debugger, once it was asked for."""

    _esm = esm("prove/prove.js")
    _css = css("console/console.css")

    def __init__(self, handlers=(), strategy="at_least_once", **options):
        self.handlers, self.strategy = tuple(handlers), strategy
        super().__init__(ProveModel(self.chosen, **options))
        warm_up()

    def chosen(self):
        """Return the handlers of the next search."""
        return self.handlers or (STRATEGIES[self.strategy],)

    def fragments(self):
        """Return {trait: HTML} from the model's state."""
        state = self.model.state
        return {
            "toolbar": self._chooser(state) + bounds_html(state),
            "status": progress_html(state),
            "stale": self.model.stale,
            "code": "".join(map(listing, self.chosen())),
            "verdict": verdict_html(state),
            "found": found_html(state, self._width),
        }

    def _chooser(self, state):
        if self.handlers:
            return ""
        titles = [(name, name.replace("_", " ")) for name in STRATEGIES]
        return field("Strategy", select("strategy", titles, self.strategy, state.busy != "idle"))

    def on_message(self, do, value):
        """Carry out a request of the page."""
        if do == "strategy" and value in STRATEGIES:
            self.strategy = value
            self.draw()
        elif do == "open_proof":
            open_proof(self, self.model)
        else:
            super().on_message(do, value)

    def __repr__(self):
        proof = self.model.state.proof
        return f"Prove console: {proof.headline if proof else 'nothing was proved yet'}."


def open_proof(console, proving):
    """Open the result of the search below a console that has a trait `opened`."""
    try:
        console.opened = debugger(proving.state.proof, list(proving.state.handlers))
    except Exception as why:  # noqa: BLE001 - an error in a callback is invisible unless the console shows it
        proving.fail(why)


def warm_up():
    """Start the child process in the background, so that the first search need not wait for it."""
    threading.Thread(target=sandbox.warm_up, name="warm up", daemon=True).start()


def listing(handler):
    """Return the code of a handler under its name."""
    name = escape(getattr(handler, "__name__", "without a name"))
    return f'<p class="eo-h">The handler {name}</p>{show.code_html(handler, remark=False)}'


def prove_console(
    handler=None,
    strategy="at_least_once",
    nodes=1,
    items=3,
    *,
    job=None,
    invariant=None,
    reference=None,
    **faults,
):
    """Return the prove console: every schedule of a handler within bounds that are chosen on the screen.

    handler: the learner's own, or a list with one for each node; without it one of the strategies is chosen.
    strategy: the name of the first strategy, if no handler is given.
    nodes, items, and faults such as crashes=2: the first bounds, as in `prove`.
    job: the `Job` whose window and threshold count; invariant, reference: as in `prove`.
    Raises `BadInput` for a handler that cannot be called with one argument, an unknown strategy, or bad bounds.
    """
    handlers = list(handler) if isinstance(handler, (list, tuple)) else [handler] if handler is not None else []
    for one in handlers:
        checked_handler(one)
    one_of("the strategy", strategy, STRATEGIES)
    bounds = Bounds.of(max(nodes, len(handlers)), items, faults)
    rules = {"invariant": invariant, "reference": reference}
    return ProveConsole(
        handlers, strategy, job=job, bounds=bounds, rules={name: rule for name, rule in rules.items() if rule}
    )
