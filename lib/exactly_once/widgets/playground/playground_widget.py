"""The clock playground on the screen: its picture as plain data for the page, and fragments of HTML around it."""

from collections import Counter
from html import escape
from itertools import pairwise
from typing import Any

import pandas as pd

from ... import show
from ...errors import plural
from ...show.base.picture import says as box
from ..base.controls import button, field, row, segments
from ..base.widget import HtmlWidget
from .drawn_run import FEWEST, MOST, SIGNS, compared, doing, relations, row_text, stamp_of, vector_of, why
from .playground_model import ClockPlaygroundModel

TOOL_TITLES = {"event": "Event", "message": "Message"}
REST = "drag an event along its line to move it. Choose two events to ask which came first."
HINTS = {
    "event": "<strong>Click on a line</strong> for a local event; <strong>drag from one line to another</strong> for "
    f"a message; {REST}",
    "message": "<strong>Click where a message begins</strong>, then <strong>where it ends</strong>, on another line; "
    f"{REST.replace('Choose', 'Switch back to Event to choose')}",
}
KEYS = (
    "Arrows move the cursor. <kbd>Enter</kbd> makes an event, or chooses the one that is there. <kbd>M</kbd> begins "
    "a message and ends it on another line. <kbd>Shift</kbd> and an arrow move an event, <kbd>Delete</kbd> deletes "
    "it, <kbd>Ctrl</kbd> <kbd>Z</kbd> undoes, <kbd>Esc</kbd> gives up. Full circles are local events and sends, open "
    "ones receives."
)
SHOWN_KEYS = f'<details class="eo-folded"><summary>Keys and signs</summary><p class="eo-keys">{KEYS}</p></details>'


def picture(state: Any) -> dict[str, Any]:
    """Return the page's picture: lines, events with their stamps and relations, arrows, the marked path."""
    shown = state.preview or state.drawing
    how, path = {}, ()
    if len(state.chosen) == 1:
        how = relations(shown, state.chosen[0])
    elif len(state.chosen) == 2:
        one, other = (shown.places[name] for name in state.chosen)
        relation = shown.history.relation(one, other)
        path = {"before": shown.path(*state.chosen), "after": shown.path(*state.chosen[::-1])}.get(relation) or ()
    drawn = _drawn(shown, path, state.vector)
    for event in drawn["events"]:
        name = event["name"]
        event |= {
            "stamp": str(stamp_of(shown, name)),
            "row": row_text(vector_of(shown, name)) if state.vector else "",
            "how": how.get(name, ""),
            "sign": SIGNS[how[name]] if name in how else "",
            "chosen": name in state.chosen,
            "words": _spoken(shown, name),
        }
    can = {"add": len(shown.lines) < MOST, "remove": len(shown.lines) > FEWEST}
    return drawn | {"tool": state.tool, "can": can}


def _drawn(drawing: Any, path: Any, vector: bool) -> dict[str, Any]:
    steps = {*pairwise(path)}
    return {
        "lines": [{"key": line.key, "name": line.name} for line in drawing.lines],
        "events": [
            {
                "name": dot.name, "line": dot.line, "x": dot.x,
                "receives": any(other == dot.name for _, other in drawing.arrows),
                "on": dot.name in path,
            }
            for dot in drawing.order
        ],
        "arrows": [{"from": one, "to": other, "on": (one, other) in steps} for one, other in drawing.arrows],
        "steps": [[*pair] for pair in pairwise(path) if drawing.where(pair[0]) == drawing.where(pair[1])],
        "vector": vector,
    }  # fmt: skip


def _spoken(drawing: Any, name: str) -> str:
    entries = zip(drawing.lines, vector_of(drawing, name), strict=True)
    row = ", ".join(f"{line.name} {time}" for line, time in entries)
    return f"{_event(drawing, name)}; Lamport stamp {stamp_of(drawing, name)}; vector {row}"


def _event(drawing: Any, name: str) -> str:
    return f"event {name} on {drawing.where(name)}, {doing(drawing, name)}"


def screen(model: ClockPlaygroundModel, _width: int | None = None) -> dict[str, Any]:
    """Return {region: HTML, "picture": data} of a `ClockPlaygroundModel`."""
    state = model.state
    return {
        "picture": picture(state),
        "toolbar": toolbar(state, bool(model.past), bool(model.future)),
        "says": says(state),
        "facts": facts(state.drawing),
        "signs": SHOWN_KEYS,
        "table": table(state),
    }


def toolbar(state: Any, can_undo: bool, can_redo: bool) -> str:
    """Return the row of controls above the picture."""
    tool = field("A click makes", segments("tool", TOOL_TITLES, state.tool, spoken="a click makes: {}"))
    vector = field("Stamps", button("eo-vector", "vector", "Vectors too", pressed=state.vector))
    undo, redo = "Undo (Ctrl+Z)", "Do again (Ctrl+Shift+Z)"
    edit = [
        button("eo-undo", "undo", "↶", off=not can_undo, spoken=undo, tip=undo),
        button("eo-redo", "redo", "↷", off=not can_redo, spoken=redo, tip=redo),
        button("eo-delete", "delete", "Delete", off=not state.chosen),
        button("eo-line-up", "line_up", "Line up by stamp"),
        button("eo-clear", "clear", "Clear"),
        button("eo-example", "example", "Example"),
    ]
    buttons = row("eo-playground-actions", "Edit", *edit)
    return f'<div class="eo-playground-choices">{tool}{vector}</div>{buttons}'


def says(state: Any) -> str:
    """Return the sentence above the picture: instructions, the origin of a stamp, or the relation of two events."""
    shown = state.preview or state.drawing
    if not state.chosen:
        return f'<div class="eo-says">{HINTS[state.tool]}</div>'
    if len(state.chosen) == 1:
        (name,) = state.chosen
        how = [*relations(shown, name).values()]
        counts = " · ".join(
            f"{SIGNS[word]} {how.count(word)} {words}"
            for word, words in (("before", "before it"), ("after", "after it"), ("concurrent", "concurrent with it"))
        )
        sentence = why(shown, name)
        return box(
            "one",
            f"{escape(name)} on {escape(shown.where(name))}: stamp {stamp_of(shown, name)}.",
            f'{escape(sentence[0].upper() + sentence[1:])}<br><span class="eo-playground-counts">{counts}. '
            "Choose a second event to compare the two.</span>",
        )
    relation, headline, explanation = compared(shown, *state.chosen)
    return box(relation, f"{SIGNS[relation]} {escape(headline)}", escape(explanation))


def facts(drawing: Any) -> str:
    """Return the line of figures under the picture."""
    history = drawing.history
    pairs, ties = history.concurrent_pairs(), _ties(history)
    over = len(drawing.overtaking())
    said = [
        plural(len(history), "event"),
        plural(len(drawing.arrows), "message") + (f", {over} overtaking" if over else ""),
        plural(pairs, "concurrent pair") + (f", {ties} with equal stamps" if ties else ""),
    ]
    order = " The total order ranks these too, by convention." if pairs else ""
    return f'<p class="eo-facts">{" · ".join(said)}.{order}</p>'


def _ties(history: Any) -> int:
    """Return how many pairs of events have equal stamps; all of them are concurrent."""
    return sum(count * (count - 1) // 2 for count in Counter(history.lamport).values())


def table(state):
    """Return the picture as a table in words, in Lamport's total order."""
    shown, chosen = state.preview or state.drawing, state.chosen
    how = relations(shown, chosen[0]) if len(chosen) == 1 else {}
    rows = []
    for place in shown.history.total_order():
        dot = shown.order[place]
        said = doing(shown, dot.name)
        row = [dot.name, shown.where(dot.name), said, stamp_of(shown, dot.name), row_text(vector_of(shown, dot.name))]
        rows.append(row + [f"{SIGNS.get(how.get(dot.name), '')} {how.get(dot.name, 'itself')}"] * bool(how))
    columns = ["event", "process", "does", "Lamport", f"vector ({', '.join(line.name for line in shown.lines)})"]
    table = pd.DataFrame(rows, columns=[*columns, *[f"stands to {one}" for one in chosen if how]])
    return show.folded(table, "The run as a table, in Lamport’s total order")


class ClockPlayground(HtmlWidget, page="playground/clock_playground", view=screen):
    """The clock playground. `model` is its `ClockPlaygroundModel`; `picture` is data, each other trait holds HTML."""

    @property
    def history(self) -> Any:
        """The drawn run, as a `History`."""
        return self.model.state.drawing.history

    def __repr__(self) -> str:
        drawing = self.model.state.drawing
        return f"Clock playground: {len(drawing.dots)} events on {len(drawing.lines)} processes"


def clock_playground() -> ClockPlayground:
    """Return the clock playground: draw events and messages, and Lamport and vector stamps follow."""
    return ClockPlayground(ClockPlaygroundModel())
