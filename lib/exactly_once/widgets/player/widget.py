"""The player on the screen: binds a scene to one widget."""

from ..base.widget import HtmlWidget, css, esm
from ..debug.widget import debugger
from .model import Player
from .view import fragments

LAYOUT = """
  <div class="eo-toolbar eo-player-choices" data-region="choices"></div>
  <div class="eo-player-tools" data-region="tools" role="group" aria-label="All nodes"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-verdict" data-region="says" role="status" aria-live="polite"></div>
  <div class="eo-scroll eo-player-picture" data-region="picture" tabindex="0" role="region" aria-label="The picture">
  </div>
  <div data-region="nodes"></div>
  <div class="eo-player-under"><div data-region="way"></div><div data-region="table"></div></div>
  <div class="eo-opened"></div>"""


class PlayerWidget(HtmlWidget, view=fragments):
    """The player. `model` is its `Player`, or another `WayModel`; `opened` is the debugger, once it was asked for.

    A subclass has regions of its own: their places in `layout_html`, their HTML by the `view` or by `fragments`.
    """

    _esm = esm("player/player.js")
    layout_html = LAYOUT

    def __init__(self, model, name, sheet="", **fixed):
        self._css = css("player/player.css", *([sheet] if sheet else ()))
        super().__init__(model, name=name, page=self.layout_html, **fixed)

    @property
    def token(self):
        """The token of the taken steps; `replay(token, widget.handlers)` performs them."""
        return self.model.token

    @property
    def handlers(self):
        """The handlers of the nodes, in the form of `prove` and `replay`."""
        return self.model.handlers

    def on_message(self, do, value):
        """Carry out a request of the page."""
        if do == "open":
            self.opened = debugger(self.model.state.position.replay, self.model.handlers)
            return None
        return super().on_message(do, value)

    def __repr__(self):
        _, head, rest = self.model.verdict
        return f"{self.model.what}, {self.model.state.at} steps taken. {head} {rest}".strip()


def play(scene, **chosen):
    """Return the player of a scene; `chosen` are the first values of its choices.

    Raises `BadInput` for an unknown value.
    """
    return PlayerWidget(Player(scene, chosen), scene.name)
