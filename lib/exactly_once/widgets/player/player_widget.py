"""The player on the screen: choices, tools, verdict, picture, nodes, steps taken, stores, as fragments of HTML."""

from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from ...errors import plural
from ...show.base.picture import cells_table
from ...show.steps import Steps
from ...simulate.schedule import CRASH
from ..base.controls import (
    banner,
    button,
    colour,
    field,
    row,
    segments,
    select,
    text_field,
    token_to_copy,
    who,
)
from ..base.widget import HtmlWidget, css, esm
from ..debug.debug_widget import debugger
from .player_model import Player
from .scene import CAME, FAULTS, SIGNS

MARKS = {"good": "✓ ", "bad": "✗ ", "warn": "! ", "none": ""}
MOST_SEGMENTS = 5  # values of a choice that stand beside each other; more are a list


def fragments(model: Any, _width: Any = None) -> dict[str, str]:
    """Return {trait: HTML} from the state of a `Player`."""
    state, scene = model.state, model.scene
    position, own = state.position, scene.table(state.position)
    run = button("eo-all", "all", "▶▶ Run all in turns", off=not model.going, primary=True)
    token = text_field("Token", "token", "paste a token, Enter", state.refused)
    return {
        "choices": choices_html(model),
        "tools": run + way_tools(model, not state.at, not state.way and not state.asleep, token=token),
        "says": says_html(*model.verdict),
        "picture": scene.picture(position),
        "nodes": panels(_panel(model, one) for one in position.nodes),
        "way": way_html(model),
        "table": stores_table(position.replay) if own is None else own,
    }


def choices_html(model: Any) -> str:
    """Return the choices and the stories, and the question; each choice starts again."""
    scene, state, found = model.scene, model.state, []
    for name, one in scene.choices.items():
        value = state.chosen[name]
        many = len(one.values) > MOST_SEGMENTS
        control = select(name, one.values.items(), value) if many else segments(name, one.values, value)
        found.append(field(one.title, control))
    stories = "".join(button("eo-story", "story", title, value=title) for title in scene.stories)
    stories += button("eo-break", "break", "What breaks it?") if scene.rule else ""
    if stories:
        found.append(field("Show", f'<span class="eo-player-stories">{stories}</span>'))
    if asked := scene.question:
        answers = segments("answer", asked.answers, state.answer)
        found.append(f'<div class="eo-player-question"><p>{escape(asked.words)}</p>{answers}</div>')
    return "".join(found)


def way_tools(model: Any, at_first: bool, untouched: bool, more: str = "", token: str = "") -> str:
    """Return undo, redo, start again, what is `more`, the token to copy, `token` beside it, and the debugger."""
    state = model.state
    return (
        f"{button('eo-undo', 'undo', '↶ Undo', at_first)}"
        f"{button('eo-redo', 'redo', '↷ Redo', state.at == len(state.way))}"
        f"{button('eo-restart', 'restart', 'Start again', untouched)}"
        f'{more}<span class="eo-player-grow"></span>{token_to_copy(model.token)}{token}'
        f"{button('eo-open-debugger', 'open', 'Open in the debugger', at_first)}"
    )


def says_html(kind: str, head: str, rest: str, beside: str = "") -> str:
    """Return the verdict: its kind as a colour and a mark, and a sentence or two; `beside` is HTML."""
    return banner(kind, f"<strong>{MARKS[kind]}{escape(head)}</strong> {escape(rest)}", beside)


def panels(found: Iterable[Any]) -> str:
    """Return panels side by side."""
    found = list(found)
    return f'<div class="eo-player-nodes eo-of-{len(found)}">{"".join(found)}</div>'


def panel(node, name, beside, inside, kinds=""):
    """Return the panel of a node under its name."""
    return (
        f'<section class="eo-player-node{kinds}" style="--c:var(--eo-{colour(node)})" aria-label="{name}">'
        f"<h3>{who(node)} {name}{beside}</h3>{inside}</section>"
    )


def _panel(model: Any, one: Any) -> str:
    node, asleep, over = one.node, one.node in model.state.asleep, one.next is None
    name = model.scene.title(node)
    if one.options:
        says, acts = "what happens next?", _choices(model, one, asleep)
    else:
        does = "asleep before" if asleep else "waits" if one.waits else "spins" if one.spins else "next"
        says = "has ended" if over else f"{does}: {model.scene.words(one.next)}"
        acts = _steps(model, one, name, asleep)
    kinds = " eo-asleep" if asleep else " eo-over" if over else " eo-spinning" if one.spins or one.waits else ""
    beside = f' <small class="eo-dim">incarnation {one.life}</small>'
    buttons = row("eo-player-row", name.capitalize(), *acts, *model.scene.more(model.state, node))
    pane = model.scene.pane(model.state, node)
    inside = f'{pane}<p class="eo-player-next-step" title="{escape(says)}">{escape(says)}</p>{buttons}'
    return panel(node, name.capitalize(), beside, inside, kinds)


def _choices(model, one, asleep):
    """Yield a button for each option of the choice at which a node stands."""
    for number, option in enumerate(one.options):
        words = model.scene.words(option)
        yield button(f"eo-option-{number}", "option", words, asleep, value=f"{one.node}-{number}")


def _steps(model, one, name, asleep):
    """Yield the buttons of a node before a step: to take it, to strike it, and to wake up what sleeps behind it."""
    node, over = one.node, one.next is None
    off = over or asleep or one.waits
    more = {"value": node, "spoken": f"Step {name}", "number": node + 1}
    yield button(f"eo-step-{node}", "step", "▶ Step ", off, primary=True, **more)
    if model.scene.runs:
        yield button(f"eo-run-{node}", "run", "▶▶ Run", off, value=node, spoken=f"Run {name} to its end")
        sleep, spoken = ("☀ Wake", "Wake") if asleep else ("☾ Sleep", "Put to sleep")
        spoken = f"{spoken}: {name}"
        yield button(f"eo-sleep-{node}", "sleep", sleep, over, pressed=asleep, value=node, spoken=spoken)
    for kind, can in model.scene.offers(model.state.position, node).items():
        off, title = over or not can, f"{SIGNS[kind]} {FAULTS[kind].capitalize()}"
        if kind == CRASH:
            spoken = f"Kill {name} before its next step"
            yield button(f"eo-kill-{node}", "kill", "✖ Kill", off, value=node, spoken=spoken)
        else:
            which, spoken = f"{kind}{node}", f"{name}: {FAULTS[kind]}"
            yield button(f"eo-strike-{which}", "strike", title, off, value=which, spoken=spoken)
    for sleeper in model.state.position.sleepers:
        if sleeper.node == node:
            title = f"☀ Sleeper: {model.scene.words(sleeper.event.text)}"
            spoken = f"Let the sleeping incarnation of {name} take a step"
            yield button(f"eo-wake-{sleeper.actor}", "wake", title, value=sleeper.actor, spoken=spoken)


def way_html(model: Any) -> str:
    """Return the taken and the undone steps, newest last; each is a button that leads to its moment."""
    state, scene = model.state, model.scene
    items = []
    for move in state.position.moves:
        text = f"{scene.words(move.text)}: {move.reply or 'nothing came back'}"
        if move.is_fault:
            struck = "dies before" if move.kind == CRASH else CAME.get(move.kind, "")
            text = f"{SIGNS[move.kind]} {struck}: {scene.words(move.text)}"
        kind = " eo-died" if move.is_fault else " eo-refused" if move.reply == "refused" else ""
        remark = scene.remark(state, move.number)
        items.append(step(move.number, move.node, text, move.number == state.at, kind, remark))
    undone = len(state.way) - state.at
    more = f'<li class="eo-dim eo-undone">{plural(undone, "step")} undone; Redo takes them again</li>' * bool(undone)
    return taken([*items, more])


def step(number: int, node: Any, text: str, now: bool, kinds: str = "", more: str = "") -> str:
    """Return a taken step as a button that leads to its moment; `now` marks the last one, `more` is HTML."""
    here = ' aria-current="step"' if now else ""
    return (
        f'<li><button type="button" class="eo-player-move{kinds}" data-do="go" data-value="{number}" '
        f'data-key="go-{number}"{here}><i>{number}</i> {who(node)} {escape(text)}{more}</button></li>'
    )


def taken(items: Any) -> str:
    """Return the list of the steps that were taken."""
    inside = "".join(items) or '<li class="eo-dim">No step was taken yet.</li>'
    return (
        '<p class="eo-h">Steps taken</p><ol class="eo-moves" data-arrows data-follow tabindex="0" '
        f'aria-label="Steps taken">{inside}</ol>'
    )


def stores_table(replay: Any) -> str:
    """Return what each part of a store holds at the end of a `Replay`, as a table."""
    steps = Steps(replay.run, replay.schedule, replay.steps)
    held = [[escape(one.title), escape(one.text)] for one in steps.stores(len(steps) - 1)] if len(steps) else []
    return table("The stores", ("part", "holds"), held)


def table(title: str, head: tuple[str, ...], rows: list[Any]) -> str:
    """Return a table under its title; the cells are HTML, the first of a row is its head."""
    nothing = [['<span class="eo-dim" style="font-weight:400">Nothing was written yet.</span>']]
    return (
        f'<p class="eo-h">{title}</p><div class="eo-player-table" tabindex="0" role="region" aria-label="{title}">'
        f"{cells_table(head, list(rows) or nothing, '')}</div>"
    )


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

    def __init__(self, model: Any, name: str, sheet: str = "", **fixed: Any) -> None:
        self._css = css("player/player.css", *([sheet] if sheet else ()))
        super().__init__(model, name=name, page=self.layout_html, **fixed)

    @property
    def token(self) -> str:
        """The token of the taken steps; `replay(token, widget.handlers)` performs them."""
        return self.model.token

    @property
    def handlers(self) -> list[Callable[..., Any]]:
        """The handlers of the nodes, in the form of `prove` and `replay`."""
        return self.model.handlers

    def openings(self) -> dict[str, Callable[..., Any]]:
        """Return how the debugger is made."""
        return {"open": lambda: debugger(self.model.state.position.replay, self.model.handlers)}

    def __repr__(self):
        _, head, rest = self.model.verdict
        return f"{self.model.what}, {self.model.state.at} steps taken. {head} {rest}".strip()


def play(scene: Any, **chosen: Any) -> PlayerWidget:
    """Return the player of a scene; `chosen` are the first values of its choices.

    Raises `BadInput` for an unknown value.
    """
    return PlayerWidget(Player(scene, chosen), scene.name)
