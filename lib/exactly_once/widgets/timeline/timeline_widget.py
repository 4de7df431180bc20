"""The transaction timeline on the screen: its model as fragments of HTML, bound to one widget."""

from html import escape
from typing import Any

import pandas as pd

from ... import show
from ...log.transactions.producer import IN_TRANSACTION
from ..base.controls import button, field, row, segments, select
from ..base.widget import HtmlWidget, css, esm
from ..player.player_widget import panel, panels, says_html
from .timeline_model import PROTOCOLS, TimelineModel, meaning, verdict
from .timeline_picture import picture, standing
from .timeline_steps import CODE_OF, INPUT, OWN, PRODUCER, PRODUCERS, STEPS, STORIES

LEAST, MOST = 800, 1300  # pixels of the picture's width
PROTOCOL = (
    "classic: as before KIP-890, without the leader’s question to the coordinator. KIP-890: that question, and a new "
    "epoch after each transaction"
)
MARGIN = 20  # pixels by which the page's number is too small: it rounds down, and subtracts a frame


def fragments(model: TimelineModel, width: int) -> dict[str, str]:
    """Return {trait: value} of a `TimelineModel`; `width` is the room on the page in pixels."""
    world = model.world
    kind, headline, rest = verdict(world)
    return {
        "cluster": cluster(model),
        "producers": panels(producer(world, owner) for owner in PRODUCERS),
        "ahead": ahead(model),
        "says": says_html(kind, headline, rest),
        "picture": picture(world, f"{headline} {rest}", max(LEAST, min(MOST, width + MARGIN))),
        "positions": "".join(positions(world, owner) for owner in PRODUCERS),
        "folds": show.folded(events_table(world), "All events as a table"),
        "at": model.state.at,
        "last": len(model.state.way),
    }


def act(world: Any, what: Any, owner: Any = None, primary: Any = False) -> Any:
    """Return the button of a step, or of the possible step that takes its place; an impossible one is off, and gives
    the reason.
    """
    place = f"{owner or 'cluster'}-{what}"  # of the button: two steps that take turns keep the focus there
    what = next((one for one, step in STEPS.items() if step.instead == what and not world.can(one, owner)), what)
    why, step = world.can(what, owner), STEPS[what]
    said = {"spoken": f"{owner}: {what}" if owner else "", "tip": why or step.tip}
    return button(
        f"eo-do-{what}", "step", step.title, bool(why), primary, value=CODE_OF[what, owner], key=place, **said
    )


def cluster(model: TimelineModel) -> str:
    """Return the first row: story, protocol, coordinator, markers, clock."""
    state, world = model.state, model.world
    stories = {OWN: "your own"} | {name: story.title for name, story in STORIES.items()}
    protocol = next(name for name, number in PROTOCOLS.items() if number == state.protocol)
    protocols = segments("protocol", {name: name for name in PROTOCOLS}, protocol)
    return (
        field("Story", select("story", stories.items(), state.story))
        + field("Protocol", f'<span title="{escape(PROTOCOL)}">{protocols}</span>')
        + field("Coordinator", f"<span>{act(world, 'down')}</span>")
        + field("Markers", f"<span>{act(world, 'hold')}</span>")
        + field("Clock", f"<span>{act(world, 'tick', primary=True)}</span>")
    )


def producer(world: Any, owner: str) -> str:
    """Return a producer's panel: its standing, and its buttons."""
    words = standing(world, owner)[0]
    if world.zombie(owner):
        words += "; its first incarnation is stalled"
    elif world.ongoing(owner) and world.life(owner).state != IN_TRANSACTION:
        words += ", transaction open"
    acts = (act(world, what, owner) for what, step in PRODUCER.items() if not step.instead)
    beside = f" <small>{escape(words)}</small>"
    buttons = row("eo-player-row", owner, *acts)
    return panel(PRODUCERS.index(owner), owner, beside, buttons, f" eo-{owner.lower()}")


def ahead(model: TimelineModel) -> str:
    """Return the story's next step, and the button that clears everything."""
    state = model.state
    said = "" if state.way else '<span class="eo-dim">What you do is kept: go back and forth along it.</span>'
    if state.at < len(state.way):
        what, owner = meaning(state.way[state.at])
        said = f"<b>Next:</b> {escape(model.words or (f'{owner}: {what}' if owner else STEPS[what].said))}"
    elif state.story != OWN:
        said = "The story ends here: go on by yourself, or look at it under the other protocol."
    return f"<span>{said}</span>{button('eo-clear', 'clear', 'Clear', off=not state.way)}"


def positions(world: Any, owner: str) -> str:
    """Return a producer's committed position, and the pending one."""
    committed, pending = world.positions(owner)
    name = f"{INPUT}-{PRODUCERS.index(owner)}"
    more, read = "", world.life(owner).position
    if pending is not None:
        more = f'<span class="eo-bad">{pending} pending in {owner}’s transaction</span>'
    elif read != committed and world.life(owner).state == IN_TRANSACTION:
        more = f'<span class="eo-dim">{owner} has read to {read}</span>'
    return f'<span class="eo-{owner.lower()}"><code>{name}</code> <b>{committed} ◆</b> {more}</span>'


def events_table(world: Any) -> Any:
    """Return all events as a DataFrame."""
    rows = [
        (number, f"{one.at:g}", one.who, one.what, one.error, one.stable, one.high)
        for number, one in enumerate(world.events, 1)
    ]
    return pd.DataFrame(rows, columns=["", "second", "who", "what", "Kafka’s error", "LSO", "HW"])


class TransactionTimeline(HtmlWidget, view=fragments):
    """The transaction timeline. `model` is its `TimelineModel`; each region of the screen is a trait."""

    _esm, _css = esm("timeline/timeline.js"), css("player/player.css", "timeline/timeline.css")

    def __repr__(self):
        world = self.model.world
        return (
            f"Transaction timeline at {world.now:.0f} s: last stable offset {world.stable}, high watermark "
            f"{world.high_watermark}."
        )


def transaction_timeline(story: Any = OWN) -> TransactionTimeline:
    """Return the transaction timeline: two transactional producers, their coordinator, a partition, its readers.

    story: "own" begins with no step; a story is "commit", "abort", "zombie" (a zombie is fenced), "stalled" (a
    stalled transaction blocks all readers), "coordinator" (it dies before the markers), "hanging" (the classic
    protocol's late append) or "kip-890" (the same under KIP-890). Raises `BadInput` for anything else.
    """
    return TransactionTimeline(TimelineModel(story))
