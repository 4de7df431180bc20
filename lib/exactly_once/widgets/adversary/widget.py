"""The adversary on the screen: its model on the player's page, with a goal."""

from ...errors import whole
from ...explore.case import bounded
from ...explore.search.outlook import BROKEN
from ..base.controls import button
from ..player.widget import PlayerWidget, says_html, way_tools
from ..player.widget import fragments as of_player
from .model import AdversaryModel
from .scene import Game

SEARCHES = '<small class="eo-dim">prove searches …</small>'


def fragments(model, _width=None):
    """Return {trait: HTML} from the state of an `AdversaryModel`."""
    says = says_html(*model.verdict, SEARCHES * model.state.proving)
    return of_player(model) | {"choices": model.scene.goal(), "tools": tools_html(model), "says": says}


def tools_html(model):
    """Return the buttons about the way as a whole, and its token."""
    state, look = model.state, model.state.position.look
    if state.proof is not None and state.proof.counterexample is None:
        show = button("eo-can-it-break", "ask", "Can it be broken?", state.asked)
    else:
        broken = look.outlook == BROKEN
        show = button("eo-simplest", "simplest", "Show me the simplest", not state.simplest, primary=broken)
    if state.own:
        show = button("eo-own", "own", "Back to my way", primary=True)
    over = button("eo-run-out", "all", "▶▶ Let it end", not look.open or look.ended)
    return show + way_tools(model, not state.at, not state.way, over)


class Adversary(PlayerWidget, view=fragments):
    """The adversary. `model` is its `AdversaryModel`; `opened` is the debugger, once it was asked for."""


def adversary(
    handler,
    nodes=None,
    items=2,
    *,
    crashes=1,
    pauses=0,
    lost_requests=0,
    lost_replies=1,
    duplicates=0,
    late_requests=0,
    job=None,
    invariant=None,
    reference=None,
):
    """Return the adversary: the learner is the scheduler of a handler, and tries to break it.

    handler: a function of the node, or a `Program`; or a list with one for each node.
    nodes: the number of nodes, 2 unless it or a list is given; items: the number of hours of input.
    crashes, pauses, lost_requests, lost_replies, duplicates, late_requests: the largest number of each fault.
    job: the `Job`, or another source, in place of the default job of `items` hours.
    invariant, reference: the definition of right, as in `prove`.
    Raises `BadInput` for a handler that cannot be called with one argument, and for bounds that make no sense;
    `CourseError` for a handler that fails or hangs without any fault.
    """
    faults = {"crashes": crashes, "pauses": pauses, "lost_requests": lost_requests, "lost_replies": lost_replies,
              "duplicates": duplicates, "late_requests": late_requests}  # fmt: skip
    nodes = len(handler) if nodes is None and isinstance(handler, (list, tuple)) else 2 if nodes is None else nodes
    whole("the number of nodes", nodes, least=1)
    rules = {name: rule for name, rule in (("invariant", invariant), ("reference", reference)) if rule}
    model = AdversaryModel(Game(bounded(handler, nodes, items, job, faults), rules))
    return Adversary(model, "eo-adversary", "adversary/adversary.css")
