"""Selects the events of one item from a trace: its passes, and the starts and ends of its incarnations."""

from ...trace import Trace
from ...trace.events import life_name

NEVER = 10**9


def item_of_interest(trace):
    """Return the item at which the first incarnation died, else the last handled item, or None."""
    for death in trace.deaths():
        if death.item is not None:
            return death.item
    return max((event.item for event in trace if event.item is not None), default=None)


def excerpt(trace, item):
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
        opening = first.step if first and (life in successors or first.item == item) else NEVER if not first else 0
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


def _successors(trace, at_item, item):
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
