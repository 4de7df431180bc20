"""The order in which a run is stepped through: its schedule's, where it has one, else the clocks' total order."""

from collections import defaultdict

from ...simulate.decision import ARRIVAL, LATE_DUPLICATE, PAUSE
from ...trace.events import life_name
from ..diagrams.table import part_title

BEFORE_ALL = -1


def in_sequence(trace, schedule=(), steps=()):
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
        death = deaths.get(start.message)
        if death is not None:
            begun[start.life] = taken.get((death.life, death.step), BEFORE_ALL)
        else:
            begun[start.life] = BEFORE_ALL if start.life <= len(nodes) else next(pauses, BEFORE_ALL)

    def place(event):
        key = (event.life, event.step)
        if falls_asleep(event):
            return asleep[key]
        if event.process != life_name(event.life) and key in arrived:
            doubled = schedule[taken[key]].kind == LATE_DUPLICATE
            if not doubled or (event.message or "").endswith("again"):
                return arrived[key]
        number = begun.get(event.life, BEFORE_ALL) if not event.step else taken.get((event.life, event.step))
        return len(schedule) if number is None else number

    numbered = enumerate(trace)
    return [
        event for _, event in sorted(numbered, key=lambda pair: (place(pair[1]), not falls_asleep(pair[1]), pair[0]))
    ]


def is_moment(event):
    """Tell whether an event is a moment of its own; a store's reply leaves at the moment of its request's arrival."""
    return not (part_title(event.process) and event.verb == "reply")


def falls_asleep(event):
    """Tell whether in an event an incarnation falls asleep."""
    return event.verb == "fault" and event.text == "pause"


def asleep_at(events):
    """Return (sleeping incarnations, woken incarnations) after these events.

    An incarnation sleeps when a next incarnation of its node begins that inherits from none.
    """
    newest, asleep, woken, gone = {}, set(), set(), set()
    for event in events:
        if event.process != life_name(event.life) or falls_asleep(event):
            continue
        if event.life in asleep:
            asleep.remove(event.life)
            woken.add(event.life)
        if event.verb in ("dies", "ends", "raised"):
            gone.add(event.life)
        if event.verb == "start" and "node" in event.detail:
            before = newest.get(event.detail["node"])
            if before is not None and event.kind == "local" and before not in gone:
                asleep.add(before)
            newest[event.detail["node"]] = event.life
    return asleep, woken


def groups(events):
    """Return lists of events that are drawn together: the events of one step; and a death with the start of its
    successor.
    """
    deaths = {event.message: (event.life, event.step) for event in events if event.verb == "dies"}
    found = defaultdict(list)
    for event in events:
        key = deaths.get(event.message) if event.verb == "start" else None
        found[key or (event.life, event.step)].append(event)
    return list(found.values())
