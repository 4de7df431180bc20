"""The sentences of the clock playground: the origin of a stamp, and the relation of two events."""

from itertools import pairwise

from ..base.nodes import listed

SIGNS = {"before": "◀", "after": "▶", "concurrent": "∥", "same": ""}


def stamp_of(drawing, name):
    """Return the Lamport stamp of an event."""
    return drawing.history.lamport[drawing.places[name]]


def vector_of(drawing, name):
    """Return the vector stamp of an event as a row, one entry for each line of the drawing."""
    row = drawing.history.vectors[drawing.places[name]]
    return tuple(row.get(line.name, 0) for line in drawing.lines)


def row_text(row):
    """Return a vector stamp as it is printed."""
    return f"({', '.join(map(str, row))})"


def relations(drawing, name):
    """Return {event: before, after or concurrent}: the relation of each other event to the named one."""
    history, place = drawing.history, drawing.places[name]
    return {dot.name: history.relation(other, place) for other, dot in enumerate(drawing.order) if other != place}


def doing(drawing, name):
    """Describe an event: the processes it sends to and receives from."""
    to = [other for one, other in drawing.arrows if one == name]
    by = [one for one, other in drawing.arrows if other == name]
    parts = []
    if to:
        parts.append(f"sends to {listed(f'{drawing.where(other)} ({other})' for other in to)}")
    if by:
        parts.append(f"receives from {listed(f'{drawing.where(one)} ({one})' for one in by)}")
    if name in drawing.lost:
        parts.append("sends a message that nobody receives")
    return " and ".join(parts) or "local"


def why(drawing, name):
    """Return the sentence that derives an event's Lamport stamp from the rule that made it."""
    history, place = drawing.history, drawing.places[name]
    stamp, previous = history.lamport[place], history.previous[place]
    stood = 0 if previous is None else history.lamport[previous]
    after = "" if previous is None else f" after {drawing.order[previous].name}"
    clock = f"the clock of {drawing.where(name)} stood at {stood}{after}"
    if not history.senders[place]:
        rule = "send rule" if doing(drawing, name).startswith("sends") else "local rule"
        return f"{rule}, {clock}: {stood} + 1 = {stamp}."
    sent = [(history.lamport[sender], drawing.order[sender].name) for sender in history.senders[place]]
    carried = listed(f"{time} (sent at {sender})" for time, sender in sent)
    values = ", ".join(str(value) for value in (stood, *(time for time, _ in sent)))
    return f"receive rule, {clock} and the message carries {carried}: max({values}) + 1 = {stamp}."


def compared(drawing, one, other):
    """Return (relation, headline, explanation) of two events: before or after with the path, or concurrent."""
    stamps = [stamp_of(drawing, name) for name in (one, other)]
    relation = drawing.history.relation(drawing.places[one], drawing.places[other])
    if relation == "concurrent":
        return relation, f"{one} and {other} are concurrent.", _apart(drawing, one, other, stamps)
    first, last = (one, other) if relation == "before" else (other, one)
    low, high = sorted(stamps)
    path = path_words(drawing, drawing.path(first, last))
    because = f"By the path {path}. So their stamps must differ: {low} < {high}."
    return relation, f"{one} happened {relation} {other}.", because


def path_words(drawing, path):
    """Return a path in words: the line or the message of each link."""
    said = path[0]
    for one, other in pairwise(path):
        here = drawing.where(one)
        said += f" → {other} ({'on ' + here if here == drawing.where(other) else 'by message'})"
    return said


def _apart(drawing, one, other, stamps):
    """Return why two events are concurrent, and the order of their stamps, which tells nothing about causality."""
    here, most, least = _lead(drawing, one, other)
    there, more, less = _lead(drawing, other, one)
    order = f"Their Lamport stamps are equal, {stamps[0]}"
    if stamps[0] != stamps[1]:
        order = f"Their Lamport stamps, {stamps[0]} and {stamps[1]}, put them in an order all the same, by convention"
    return (
        f"No path leads from either to the other. {one} knows of {most} of {here}'s events and {other} of {least}; "
        f"{other} knows of {more} of {there}'s and {one} of {less}. {order}."
    )


def _lead(drawing, one, other):
    """Return (process, its events that `one` knows of, those that `other` does), where the first are more."""
    entries = zip(drawing.lines, vector_of(drawing, one), vector_of(drawing, other), strict=True)
    return next((line.name, mine, its) for line, mine, its in entries if mine > its)
