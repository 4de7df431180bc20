"""The part of a run that a drawing shows, and its words.

What is shown and marked: the passes of an item, and the steps that did the damage. A trace as a table has the content
of the space–time diagram in words, in Lamport's total order.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...explore.proof import Counterexample
from ...node.access import named_part
from ...pipeline import spans
from ...trace import Event, Trace, life_name, name_with_node
from ...verdict import Verdict
from ...verdict.damage import odd_pushes
from ...verdict.outcome import readings_in
from ..base.checks import given

if TYPE_CHECKING:
    import pandas as pd

PARTS = {"input": "inputs", "positions": "positions", "state": "state", "output": "output log", "counter": "database"}
COLUMNS = ["stamp", "where", "event", "what", "hour", "line"]
NEVER = 10**9
STRUCK = ("dies", "fault", "wakes", "raised")
WAITS = re.compile(r"(?:node (\d+)|incarnation (\d+)): (waits .*)\.$", re.IGNORECASE)  # the latter of several


@dataclass(frozen=True)
class Marks:
    """What the drawing of a run marks: `steps` maps the (incarnation, step) of a request to its part in the damage.

    That is "again", "wrong", "here" (the step after which a rule does not hold), or "first": the step that "again"
    repeats, or the write that went ahead. `ends` has words for the ends of lines: the missing value, or the wait.
    """

    steps: dict = field(default_factory=dict)
    ends: dict = field(default_factory=dict)

    def on(self, event: Any) -> str:
        """Return the mark of an event, or "" for none."""
        return self.steps.get((event.life, event.step), "")

    def is_damage(self, event: Any) -> bool:
        """Tell whether an event is of a step that did damage, and not of one that damage repeats."""
        return self.on(event) not in ("", "first")

    @classmethod
    def of(cls, source: Any) -> Any:
        """Return the marks of a `Verdict` or a `Counterexample`; none of anything else."""
        verdict = source if isinstance(source, Verdict) else getattr(source, "verdict", None)
        found = cls() if verdict is None or verdict.nearest is None else _of_damage(verdict)
        if isinstance(source, Counterexample) and not (source.kind == "outcome" and (found.steps or found.ends)):
            waits = [found for line in source.explanation if (found := WAITS.search(line))]
            waits = waits if source.kind in ("deadlock", "blocked") else []
            here = {} if waits or not source.steps else {source.steps[-1]: "here"}  # a rule may be broken at once
            lives = {1 + start.detail.get("node", 0): start.life for start in source.run.trace.lives()}
            return cls(here, {life_name(int(one[2] or lives[int(one[1])])): one[3] for one in waits})
        return found


def _of_damage(verdict: Any) -> Any:
    """Return the marks of a verdict: the first step that did each kind of damage, and all records that are odd."""
    run, damage = verdict.run, verdict.damage
    steps, ends, writes = odd_pushes(run.pushes, verdict.nearest), {}, defaultdict(list)
    for entry in run.writes:
        writes[entry.part].append(entry)

    def mark(entries: list[Any], word: Any = "wrong") -> None:
        for entry in entries[-1:]:
            steps.setdefault((entry.life, entry.step), word)

    if damage.counter != damage.expected_counter:
        adds, first = writes["counter"], {}
        for entry in adds:
            before = first.setdefault(entry.item, entry)
            if before is not entry and entry.item is not None and damage.counter > damage.expected_counter:
                steps[before.life, before.step], steps[entry.life, entry.step] = "first", "again"
        if "again" not in map(steps.get, ((entry.life, entry.step) for entry in adds)):
            mark(adds if damage.counter > damage.expected_counter else [])
            ends["counter"] = f"✗ {damage.counter}, should be {damage.expected_counter}"
    reasons = {reason for some in damage.wrong_because.values() for reason in some}
    twice = {hour for hour, _ in damage.doubled_inputs} | {hour for odd, hour in reasons if odd == "twice"}
    lacking = {hour for hour, _ in damage.lacking_inputs} | {hour for odd, hour in reasons if odd == "left out"}
    before = []
    for entry in writes["state"]:
        window = readings_in(entry.value)
        hours = {hour for hour, _ in window}
        doubled = any(hour in twice and count > 1 for (hour, _), count in window.items())
        if doubled or any(hour not in hours and max(hours, default=0) > hour for hour in lacking):
            mark([entry])
            mark([one for one, held in before if held & twice], "first")
            break
        before.append((entry, hours))
    else:
        mark(writes["state"] if damage.state_differs else [])
    if damage.positions_differ:
        mark(writes["positions"])
    for part, *_ in damage.others:
        mark(writes[part])
    for _, name in damage.in_doubt:
        mark([event for event in run.trace if (event.verb, event.text) == ("prepare", name)])
    if damage.missing:
        ends["output"] = f"○ {spans(filter(None, damage.missing)) or 'a value'} never came here"
        mark([one for one in writes["positions"] if one.item in damage.missing], "first")
    return Marks(steps, ends)


def is_drawn(event: Any) -> bool:
    """Tell whether an event is drawn. Crash points are no messages, and a store's reply leaves where its request
    arrived; the table has crash points and replies.
    """
    return event.verb != "crash point" and not (part_title(event.process) and event.verb == "reply")


def items_shown(source: Verdict, item: int | None) -> list[int | None]:
    """Return the items whose passes are drawn of a `Verdict`: `item`, and that of the first damage."""
    marks = Marks.of(source)
    return [item, *({event.item for event in [*filter(marks.is_damage, source.run.trace)][:1]} - {item})]


def window(source, item, most):
    """Return (the events of a run to draw, about `most` of them; the `Marks`), for a `Verdict` or `Counterexample`.

    They end where the damage is done. Of a verdict they are the passes of its `items_shown`; of a counterexample, in
    which no step is idle, all up to there. Where that is too much, what is nearest to damage and faults remains.
    """
    trace, marks = source.run.trace, Marks.of(source)
    events = list(trace)
    if isinstance(source, Verdict):
        chosen = {id(event) for one in items_shown(source, item) for event in excerpt(trace, one)}
        events = [event for event in events if id(event) in chosen]
    if odd := [event for event in events if marks.is_damage(event)]:
        end = 1 + events.index([event for event in odd if event.item == odd[0].item][-1])
        later = {(event.life, event.step) for event in events[end:]}  # a request without its reply would look lost
        events = [one for one in events[:end] if marks.on(one) or (one.life, one.step) not in later]
    near = [number for number, event in enumerate(events) if marks.on(event) or event.verb in STRUCK] or [len(events)]
    away, size = {}, Counter((event.life, event.step) for event in events if is_drawn(event))
    for number, event in enumerate(events):
        distance = min(abs(number - other) for other in near)
        away[event.life, event.step] = min(distance, away.get((event.life, event.step), distance))
    kept, room = set(), most
    for request in sorted(away, key=away.get):
        room -= size[request]
        if room < 0:
            break
        kept.add(request)
    return Trace(event for event in events if (event.life, event.step) in kept), marks


def item_of_interest(trace: Trace) -> int | None:
    """Return the item at which the first incarnation died, else the last handled item, or None."""
    died = (death.item for death in trace.deaths() if death.item is not None)
    return next(died, max((event.item for event in trace if event.item is not None), default=None))


def excerpt(trace: Trace, item: int | None) -> Trace:
    """Return the part of a trace that tells the story of one item.

    The part holds all passes of the item. For an incarnation that began with the item, or took over from one that
    died at it, it holds the beginning with the loaded values. For a successor that never came to the item, it holds
    the successor's first pass instead.
    """
    at_item = {event.life for event in trace if event.item == item and event.life}
    successors = _successors(trace, at_item, item)
    chosen = set()
    for life in at_item | successors:
        events = trace.of_life(life)
        first = next((event for event in events if event.item is not None), None)
        opening = NEVER if first is None else first.step if life in successors or first.item == item else 0
        wanted = item if life in at_item else first and first.item
        for event in events:
            begins = event.item is None and event.step < opening
            ends = event.verb == "dies" and event.item in (item, None)
            if begins or ends or (wanted is not None and event.item == wanted):
                chosen.add((life, event.step))
    return Trace(
        event
        for event in trace
        if (event.life, event.step) in chosen
        and not (event.process == life_name(event.life) and event.verb == "ends")
    )


def _successors(trace: Trace, at_item: set[Any], item: int | None) -> set[Any]:
    """Return the incarnations that took over from one that died at the item, or died before it had read anything."""
    deaths = {death.life: death.item for death in trace.deaths()}
    lives = {start.life for start in trace.lives()}
    successors, left = set(), sorted(at_item)
    while left:
        life = left.pop()
        if deaths.get(life, 0) in (item, None) and life + 1 in lives - successors:
            successors.add(life + 1)
            left.append(life + 1)
    return successors


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
