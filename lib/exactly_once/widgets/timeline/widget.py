"""The transaction timeline on the screen: binds its model to one widget."""

from ..base.widget import HtmlWidget, css, esm
from .model import TimelineModel
from .stories import OWN
from .view import fragments


class TransactionTimeline(HtmlWidget, view=fragments):
    """The transaction timeline. `model` is its `TimelineModel`; each region of the screen is a trait."""

    _esm, _css = esm("timeline/timeline.js"), css("player/player.css", "timeline/timeline.css")

    @property
    def token(self):
        """The token of all done steps, an argument of `transaction_timeline`."""
        return self.model.token

    def __repr__(self):
        world = self.model.world
        return (
            f"Transaction timeline at {world.now:.0f} s: last stable offset {world.stable}, high watermark "
            f"{world.high_watermark}."
        )


def transaction_timeline(story=OWN, protocol=None):
    """Return the transaction timeline: two transactional producers, their coordinator, a partition, its readers.

    story: "own" begins with no step; a story is "commit", "abort", "zombie" (a zombie is fenced), "stalled" (a
    stalled transaction blocks all readers), "coordinator" (it dies before the markers), "hanging" (the classic
    protocol's late append) or "kip-890" (the same under KIP-890); a token brings back the done steps of its
    timeline. `protocol` is "classic" or "KIP-890"; by default the story's own. Raises `BadInput` for anything else.
    """
    return TransactionTimeline(TimelineModel(story, protocol))
