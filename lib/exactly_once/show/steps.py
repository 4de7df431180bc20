"""A run step by step: the actions of the incarnations, the contents of the stores and the clocks at each moment."""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..node.access import named_part
from ..pipeline import Window, spans
from ..simulate.schedule import ARRIVAL, LATE, PAUSE
from ..stores.codec import describe
from ..trace import life_name, name_with_node
from ..verdict import Run
from ..verdict.outcome import readings_in
from .diagrams.excerpt import part_title, placement
from .diagrams.layout import by_number, is_drawn

BEFORE_ALL = -1
PAGE = 34  # events drawn at once, about: as many as fit beside a notebook's list of files
WRITES = ("append", "produce", "write", "cas", "add", "put", "take", "acquire", "release")
WITHOUT_EFFECT = (("cas", "refused"), ("release", "not held"))
FIXED = ("output", "counter", "state", "positions")
EMPTY = {"output": "empty", "counter": "0"}
OVER = ("dies", "ends", "raised")  # an incarnation's last verbs


@dataclass(frozen=True)
class LifeAt:
    """An incarnation at a moment. `state` is "alive", "asleep", "dead" or "ended"; `line` is the current line of its
    handler.
    """

    number: int
    name: str
    node: int
    state: str
    doing: str
    line: int | None
    where: str


class Steps:
    """The moments of a run, numbered from 0: `source` is a `Run` or a `Trace`.

    `schedule` and `steps` are those of a replayed schedule; with them the moments follow its order, else the clocks'.
    All methods take the number of a moment.
    """

    def __init__(self, source: Any, schedule: Any = (), steps: Any = ()) -> None:
        trace = source.trace if isinstance(source, Run) else source
        writes = source.writes if isinstance(source, Run) else ()
        self.trace = trace
        self.events = in_sequence(trace, schedule, steps)
        self._cuts = [place for place, event in enumerate(self.events) if is_moment(event)]
        values = {(entry.part, entry.received): entry.value for entry in writes}
        self._changes = [change_of(event, values) for event in self.events]
        self._starts = {start.life: start for start in trace.lives()}
        self._nodes = {life: start.detail.get("node", 0) for life, start in self._starts.items()}
        self.parts = parts_of(self.events)
        self._pages = self._paged()

    def __len__(self) -> int:
        return len(self._cuts)

    def event(self, at: int) -> Any:
        """Return the event of a moment."""
        return self.events[self._cuts[at]]

    def until(self, at: int) -> list[Any]:
        """Return all events up to a moment, with the reply that left a store in it."""
        end = self._cuts[at] + 1
        while end < len(self.events) and not is_moment(self.events[end]):
            end += 1
        return self.events[:end]

    def name(self, life: int) -> str:
        """Return an incarnation's name, with its node where there are several."""
        return name_with_node(life, self._nodes)

    def faults(self) -> list[Any]:
        """Return the moments at which a fault struck, in order."""
        return [at for at in range(len(self)) if self.is_fault(at)]

    def is_fault(self, at: int) -> bool:
        """Tell whether a fault strikes: a death, a lost message, a doubled request, an incarnation put to sleep."""
        event = self.event(at)
        twice = (event.message or "").endswith("again")
        if falls_asleep(event):
            return False  # the fault shows when the node's next incarnation begins
        return event.verb in ("dies", "fault", "raised") or twice or self.puts_to_sleep(event) is not None

    def puts_to_sleep(self, event: Any) -> int | None:
        """Return the incarnation that was put to sleep when this one began, or None."""
        if event.verb != "start" or event.kind != "local" or "node" not in event.detail:
            return None
        earlier = [life for life, node in self._nodes.items() if node == event.detail["node"] and life < event.life]
        return max(earlier, default=None)

    def clocks(self, at: int) -> dict[str, int]:
        """Return {process: the reading of its Lamport clock} of all processes of the run, 0 before their first
        event.
        """
        # Incarnations stand before parts of stores, in the order of their numbers.
        lives = {event.process: 0 if part_title(event.process) else event.life for event in self.events}
        times = dict.fromkeys(sorted(lives, key=lambda process: (not lives[process], lives[process], process)), 0)
        for event in self.until(at):
            times[event.process] = event.stamp
        return times

    def stores(self, at: int) -> list[Any]:
        """Return a `Holding` for each part of a store, after the journals' writes up to this moment."""
        changes = [change for change in self._changes[: self._cuts[at] + 1] if change is not None]
        over = {event.life for event in self.until(at) if event.verb in OVER}
        newest = self._changes[self._cuts[at]]
        return [_holding(part, [one for one in changes if one.part == part], newest, over) for part in self.parts]

    def lives(self, at: int) -> list[LifeAt]:
        """Return a `LifeAt` for each incarnation that has begun.

        An incarnation sleeps when a next incarnation of its node begins that inherits from none.
        """
        own, asleep, woken = {}, set(), set()
        for event in self.until(at):
            if event.process == life_name(event.life):
                own.setdefault(event.life, []).append(event)
                if event.life in asleep and not falls_asleep(event):
                    asleep.remove(event.life)
                    woken.add(event.life)
                sleeper = self.puts_to_sleep(event)
                if sleeper in own and own[sleeper][-1].verb not in OVER:
                    asleep.add(sleeper)
        return [self._life(life, mine, life in asleep, life in woken) for life, mine in sorted(own.items())]

    def _life(self, life: int, own: list[Any], asleep: bool, woken: bool) -> LifeAt:
        last = own[-1]
        line = next((event.line for event in reversed(own) if event.line is not None), None)
        state = {"dies": "dead", "ends": "ended", "raised": "ended"}.get(last.verb, "alive")
        says = {"start": "begins", "reply": f"got the reply: {last.text}"}
        says["fault"] = f"{last.text}: it does not know the outcome"
        doing = says.get(last.verb, last.text)
        if last.kind == "send" and last.verb != "dies":
            doing = f"{last.text}: waits for the reply"
        if asleep:
            state, doing = "asleep", f"asleep since {doing}"
        elif woken and state == "alive":
            doing = f"{doing} (a zombie: woken up after its node's next incarnation began)"
        where = placement(self._starts.get(life))
        return LifeAt(life, self.name(life), self._nodes.get(life, 0), state, doing, line, where)

    def page(self, at: int) -> list[Any]:
        """Return the events to be drawn at a moment, in order: always whole steps, and the same events for its
        neighbours.
        """
        return self._pages[self._page_of[id(self.event(at))]]

    def _paged(self) -> list[list[Any]]:
        """Cut the run into pages of about the same length, so that no page has only a step or two."""
        drawn = sum(map(is_drawn, self.events))
        fair = drawn / max(1, math.ceil(drawn / PAGE))
        pages, self._page_of, count = [[]], {}, 0
        for group in groups(self.events):
            if count >= fair * len(pages):
                pages.append([])
            count += sum(map(is_drawn, group))
            self._page_of.update((id(event), len(pages) - 1) for event in group)
        for event in self.events:
            pages[self._page_of[id(event)]].append(event)
        return pages


def in_sequence(trace: Any, schedule: Any = (), steps: Any = ()) -> list[Any]:
    """Return the events of a trace in the order in which they took place.

    For a replayed schedule the order is known: `schedule` are its decisions and `steps` the (life, step) of each, and
    the events of a step stand together. For any other run only Lamport's total order is known. It agrees with
    causality and with the order in which each store was asked, so the stores' contents at any moment could have been
    observed.
    """
    if not schedule:
        return list(trace)
    taken, asleep, arrived = {}, {}, {}
    for number, (decision, step) in enumerate(zip(schedule, steps, strict=True)):
        {PAUSE: asleep, ARRIVAL: arrived}.get(decision.kind, taken)[tuple(step[:2])] = number
    pauses = iter([number for number, decision in enumerate(schedule) if decision.kind == PAUSE])
    deaths = {event.message: event for event in trace if event.verb == "dies"}
    nodes = {start.detail.get("node") for start in trace.lives()}
    begun = {}
    for start in trace.lives():
        if death := deaths.get(start.message):
            begun[start.life] = taken.get((death.life, death.step), BEFORE_ALL)
        elif start.life > len(nodes):
            begun[start.life] = next(pauses, BEFORE_ALL)

    def place(event: Any) -> int:
        key = (event.life, event.step)
        if falls_asleep(event):
            return asleep[key]
        if event.process != life_name(event.life) and key in arrived:
            doubled = LATE.get(schedule[taken[key]].kind)
            if not doubled or (event.message or "").endswith("again"):
                return arrived[key]
        number = begun.get(event.life, BEFORE_ALL) if not event.step else taken.get((event.life, event.step))
        return len(schedule) if number is None else number

    return sorted(trace, key=lambda event: (place(event), not falls_asleep(event)))  # a stable order


def is_moment(event: Any) -> bool:
    """Tell whether an event is a moment of its own; a store's reply leaves at the moment of its request's arrival."""
    return not (part_title(event.process) and event.verb == "reply")


def falls_asleep(event: Any) -> bool:
    """Tell whether in an event an incarnation falls asleep."""
    return event.verb == "fault" and event.text == "pause"


def groups(events: list[Any]) -> list[list[Any]]:
    """Return lists of events that are drawn together: the events of one step; and a death with the start of its
    successor.
    """
    deaths, found = {event.message: (event.life, event.step) for event in events if event.verb == "dies"}, {}
    for event in events:
        key = deaths.get(event.message) if event.verb == "start" else None
        found.setdefault(key or (event.life, event.step), []).append(event)
    return list(found.values())


class Change(NamedTuple):
    """One write to a part of a store, in the words of the page."""

    part: str
    verb: str
    text: str
    item: int | None
    life: int


class Holding(NamedTuple):
    """The contents of a part of a store, in words; those of the output log record by record.

    changed: the current step changed the part
    """

    part: str
    title: str
    text: str
    records: tuple = ()
    changed: bool = False


def change_of(event: Any, values: Any) -> Change | None:
    """Return the `Change` of an event on a store's line, or None.

    `values` are the journal's values by (part, stamp of the arrival); without a value the trace's own words are used.
    """
    if event.kind != "receive" or event.verb not in WRITES or (event.verb, event.text) in WITHOUT_EFFECT:
        return None
    key = (event.process, event.stamp)
    text = event.text.rpartition(" → ")[2] if event.verb == "add" else event.text  # of "3 → 4" it is 4
    text = _shown(event.process, values[key]) if key in values else text
    return Change(event.process, event.verb, text, event.item, event.life)


def _shown(part: str, value: Any) -> str:
    if isinstance(value, Window):
        counts = readings_in(value)
        often = {hour for (hour, _), times in counts.items() if times > 1}
        twice = f"; {spans(often)} more than once" if often else ""
        hours = spans(hour for hour, _ in counts)
        return f"{hours}, {len(value.readings)} readings{twice}" if counts else "an empty window"
    if isinstance(value, dict) and "values" in value:  # a partition's note of an append
        return ", ".join(map(describe, value["values"]))
    if part.endswith("positions") and isinstance(value, dict):
        return ", ".join(f"{stream} {offset}" for stream, offset in value.items())
    return describe(value)


def _holding(part, changes, newest, over):
    """Return the `Holding` of a part after its `Change`s; `newest` is that of this step, if it has one.

    `over` are the ended incarnations: their locks are free.
    """
    seen, records, text = Counter(), [], EMPTY.get(part, "nothing yet")
    if any(change.verb in ("append", "produce") for change in changes):
        for change in changes:
            seen[change.item] += 1
            records.append((change.text, change.item, seen[change.item]))
        text = ", ".join(_record(*record) for record in records)
    elif any(change.verb == "put" for change in changes):
        text = "; ".join(_waiting(changes)) or "empty"
    elif changes:
        last = changes[-1]
        freed = last.verb == "acquire" and last.life in over
        text = f"free, as incarnation {last.life} is over" if freed else last.text
    changed = newest is not None and newest.part == part
    return Holding(part, part_title(part), text, tuple(records), changed)


def _waiting(changes: list[Change]) -> list[Any]:
    """Return the messages that wait in an inbox after these changes, in words."""
    waiting = []
    for change in changes:
        (waiting.append if change.verb == "put" else waiting.remove)(change.text)
    return waiting


def _record(text: str, item: int | None, times: int) -> str:
    hour = "" if item is None else f" (hour {item})"
    return f"{text}{hour}{', again' if times > 1 and item is not None else ''}"


def parts_of(events: list[Any]) -> list[Any]:
    """Return the parts of stores that a run uses, without parts that hold no value, in display order."""
    asked = {event.process for event in events} | {event.detail.get("part") for event in events}
    named = sorted((name for name in asked - {None} if named_part(name)), key=by_number)
    return [*(name for name in FIXED if name in asked), *named]
