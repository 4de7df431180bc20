"""The adversary on the screen: binds its model to one widget."""

from ..player.widget import PlayerWidget
from ..prove.model import warm_up
from .model import adversary_model
from .view import fragments

LAYOUT = """
  <div class="eo-toolbar" data-region="head"></div>
  <div class="eo-verdict" data-region="says" role="status" aria-live="polite"></div>
  <div class="eo-player-tools" data-region="tools" role="group" aria-label="The way"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-player-board"><div data-region="nodes"></div>
    <div><div data-region="stores"></div><div data-region="network"></div></div></div>
  <div class="eo-player-way" data-region="way"></div>
  <div class="eo-opened"></div>"""


class Adversary(PlayerWidget, view=fragments):
    """The adversary. `model` is its `AdversaryModel`; `opened` is the debugger, once it was asked for."""

    layout_html = LAYOUT

    def __repr__(self):
        state = self.model.state
        outlook = state.position.outlook if state.position else "not looked at yet"
        return f"Adversary: {state.at} moves made, {outlook or 'not known'}."


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
    Raises `BadInput` for a handler that cannot be called with one argument, and for bounds that make no sense.
    """
    faults = {"crashes": crashes, "pauses": pauses, "lost_requests": lost_requests, "lost_replies": lost_replies,
              "duplicates": duplicates, "late_requests": late_requests}  # fmt: skip
    rules = {"invariant": invariant, "reference": reference}
    model = adversary_model(handler, nodes, items, job, rules, faults)
    warm_up()
    return Adversary(model, "eo-adversary", "adversary/adversary.css")
