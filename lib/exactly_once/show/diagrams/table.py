"""A trace as a table: the content of the space–time diagram in words, in Lamport's total order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...node.access import named_part
from ...trace import Event, Trace, life_name, name_with_node
from ..base.checks import given

if TYPE_CHECKING:
    import pandas as pd

PARTS = {"input": "inputs", "positions": "positions", "state": "state", "output": "output log", "counter": "database"}
COLUMNS = ["stamp", "where", "event", "what", "hour", "line"]


def part_title(process: str) -> str | None:
    """Return the title of a part of a store, or None for a process that is an incarnation."""
    return PARTS.get(process) or named_part(process)


def trace_table(trace: Trace) -> pd.DataFrame:
    """Return a trace as a DataFrame: stamp, where, event (local, send, receive), what, hour, line of the handler."""
    import pandas as pd  # here: who asks for no table needs no package

    rows = []
    for event in given(trace, Trace):
        where = part_title(event.process) or event.process
        at = ["" if one is None else str(one) for one in (event.item, event.line)]
        rows.append((event.stamp, where, event.kind, _what(event), *at))
    return pd.DataFrame(rows, columns=COLUMNS)


def _what(event: Event) -> str:
    if event.verb == "start":
        place = f" ({placement(event)})" if placement(event) else ""
        return f"start of {event.process}{place}{', takes over' if event.message else ''}"
    if part_title(event.process):
        return f"{event.verb}: {event.text}" if event.verb not in (event.text, "reply") else event.text
    if event.verb == "reply":
        return f"reply: {event.text}"
    return event.text


def life_title(life: int, starts: Mapping[int, Event], several: bool = False) -> str:
    """Return the title of an incarnation's line, with the program of its node; of `several` nodes, with the node."""
    detail = starts[life].detail if life in starts else {}
    if detail.get("program"):
        return f"{detail['program']}, {life_name(life)}"
    nodes = {each: start.detail.get("node", 0) for each, start in starts.items()} if several else {}
    return name_with_node(life, nodes)


def placement(start: Event | None) -> str:
    """Return the place where an incarnation ran, from its start event: "executor 0 · pid 4121", or "" in a
    simulation.
    """
    detail = {} if start is None else start.detail
    return " · ".join(f"{what} {detail[what]}" for what in ("executor", "pid") if detail.get(what) is not None)
