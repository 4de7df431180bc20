"""The drawn run of the clock playground: lines, dots and arrows, every change of them, and sentences on it.

A drawing is never changed: each change returns another drawing, so an undo only keeps the old one. `History` computes
the happened-before relation and every stamp. Sentences tell the origin of a stamp, and the relation of two events.
"""

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from ...clocks import Event, History
from ...errors import BadInput, is_number

FEWEST, MOST = 2, 6
EVENTS = 200
LAST_COLUMN = 400
GRID = 0.5
NUMBERED = re.compile(r"(\D*)([0-9]{1,9})")
LONGEST_NAME = 24


@dataclass(frozen=True)
class Line:
    """A process. `key` stays when it is renamed."""

    key: int
    name: str


@dataclass(frozen=True)
class Dot:
    """An event: its letter, the key of its process, and its place, in columns from the left."""

    name: str
    line: int
    x: float


@dataclass(frozen=True)
class Drawing:
    """Lines from top to bottom, the dots on them, and arrows as pairs of dots' names."""

    lines: tuple
    dots: tuple = ()
    arrows: tuple = ()
    used: int = field(default=0, compare=False)

    @classmethod
    def empty(cls, processes: int = 3) -> "Drawing":
        """Return a drawing of `processes` lines without events."""
        return cls(tuple(Line(number, f"P{number}") for number in range(1, processes + 1)))

    @classmethod
    def of(cls, history: History, columns: Any = None) -> "Drawing":
        """Return the drawing of a `History`, with the event of each place in its column of `columns`.

        By default that is the column of its Lamport stamp, so that every arrow points right.
        """
        names, columns = _in_order(history.processes), columns or history.lamport
        lines = tuple(Line(number, name) for number, name in enumerate(names, 1))
        keys = {line.name: line.key for line in lines}
        order = sorted(range(len(history)), key=lambda place: (columns[place], keys[history[place].process]))
        letters = {place: letter(number) for number, place in enumerate(order)}
        events = [(history[place], letters[place], float(columns[place])) for place in order]
        dots = tuple(Dot(name, keys[one.process], x) for one, name, x in events)
        arrows = tuple((letters[one], letters[other]) for one, other in history.arrows)
        return cls(lines, dots, arrows, len(dots))

    # -- derived data ------------------------------------------------------------------------------------------------

    @cached_property
    def order(self) -> list[Dot]:
        """The dots line by line, each from left to right: the places of `history` are those of this list."""
        rows = {line.key: number for number, line in enumerate(self.lines)}
        return sorted(self.dots, key=lambda dot: (rows[dot.line], dot.x))

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each dot, by its name."""
        return {dot.name: place for place, dot in enumerate(self.order)}

    @cached_property
    def history(self):
        """The run as a `History`; a message has the name of its send."""
        names = {line.key: line.name for line in self.lines}
        sends = {one for one, _ in self.arrows}
        carried = {other: one for one, other in self.arrows}
        events = []
        for dot in self.order:
            kind = "send" if dot.name in sends else "receive" if dot.name in carried else "local"
            message = None if kind == "local" else f"m-{carried.get(dot.name, dot.name)}"
            events.append(Event(names[dot.line], kind, message))
        return History(events)

    def dot(self, name: str) -> Dot:
        """Return the dot of this name. Raises `BadInput` when there is none."""
        if name in self.places:
            return self.order[self.places[name]]
        raise BadInput(f"There is no event {name!r} in this run.")

    def line(self, key: Any) -> Line:
        """Return the line with this key. Raises `BadInput` when there is none."""
        for line in self.lines:
            if line.key == key:
                return line
        raise BadInput(f"There is no process {key!r} in this run.")

    def where(self, name: str) -> str:
        """Return the name of a dot's process."""
        return self.line(self.dot(name).line).name

    def path(self, one: Any, other: Any) -> Any:
        """Return the names of the dots on a path from one dot to another, or None when no path leads there."""
        path = self.history.path(self.places[one], self.places[other])
        return path and [self.order[place].name for place in path]

    def is_busy(self, name):
        """Tell whether a dot sends or receives already."""
        return any(name in arrow for arrow in self.arrows)

    def overtaking(self) -> list[Any]:
        """Return the pairs (later, earlier) of arrows between two processes, of which the later is received first."""
        ends = {arrow: [self.dot(name) for name in arrow] for arrow in self.arrows}
        return [
            (late, early)
            for early, (sent, received) in ends.items()
            for late, (start, end) in ends.items()
            if (sent.line, received.line) == (start.line, end.line) and sent.x < start.x and received.x > end.x
        ]

    # -- events and messages ---------------------------------------------------------------------------------------

    def with_event(self, line: int, x: Any) -> tuple["Drawing", str]:
        """Return (drawing, name) with a local event on a line, in column x."""
        self.line(line)
        if len(self.dots) >= EVENTS:
            raise BadInput(f"There are {EVENTS} events, as many as the playground draws; delete one first.")
        name = letter(self.used)
        drawing, x = self._room(line, x)
        return replace(drawing, dots=(*drawing.dots, Dot(name, line, x)), used=self.used + 1), name

    def with_message(self, start, end):
        """Return the drawing with a message more; each end is a local event's name, or a line's key and a column.

        Raises `BadInput` for ends on one line, for an event that sends or receives already, and for a cycle.
        """
        drawing, ends, called = self, [], {}
        for place, what in ((start, "its start"), (end, "its end")):
            if isinstance(place, str):
                self.dot(place)
                if self.is_busy(place):
                    raise BadInput(
                        f"{place} sends or receives a message already, and an event is one thing only: begin or end "
                        "the new message on a local event, or on an empty part of a line."
                    )
                name = place
            else:
                drawing, name = drawing.with_event(*place)
                called[name] = what
            ends.append(name)
        if drawing.dot(ends[0]).line == drawing.dot(ends[1]).line:
            raise BadInput("A message goes from one process to another; end it on another line.")
        return drawing._with_arrow(*ends, called)

    def moved(self, name: str, x: float | None) -> "Drawing":
        """Return the drawing with a dot moved along its line. Raises `BadInput` when that makes a cycle."""
        dot = self.dot(name)
        own = [arrow for arrow in self.arrows if name in arrow]
        rest = tuple(each for each in self.dots if each != dot)
        arrows = tuple(arrow for arrow in self.arrows if arrow not in own)
        drawing, x = replace(self, dots=rest, arrows=arrows)._room(dot.line, x)
        drawing = replace(drawing, dots=(*drawing.dots, replace(dot, x=x)))
        for arrow in own:
            drawing = drawing._with_arrow(*arrow)
        return replace(drawing, arrows=self.arrows)

    def without(self, names: Any) -> "Drawing":
        """Return the drawing without some dots; a message goes with both its ends."""
        gone = {self.dot(name).name for name in names}
        gone |= {name for arrow in self.arrows if gone & {*arrow} for name in arrow}
        return replace(
            self,
            dots=tuple(dot for dot in self.dots if dot.name not in gone),
            arrows=tuple(arrow for arrow in self.arrows if not gone & {*arrow}),
        )

    def lined_up(self) -> "Drawing":
        """Return the drawing with each dot in the column of its Lamport stamp: every arrow points right."""
        stamps = self.history.lamport
        return replace(self, dots=tuple(replace(dot, x=float(stamps[self.places[dot.name]])) for dot in self.dots))

    def _with_arrow(self, one: str, other: str, called: Any = ()) -> "Drawing":
        path = self.path(other, one)
        if path:
            words = [dict(called).get(name, name) for name in path]
            message = "This message" if called else f"The message from {one} to {other}"
            raise BadInput(
                f"{message} would arrive before its own cause: {words[0]} comes before {words[-1]} already "
                f"({' → '.join(words)}), and nothing happens before itself. The run stays as it was."
            )
        return replace(self, arrows=(*self.arrows, (one, other)))._rightward((one, other))

    def _rightward(self, arrow: tuple[str, ...]) -> "Drawing":
        """Return the drawing with the end of an arrow right of its beginning, and so on along the arrows that follow
        from it.

        Time runs to the right: the dot at the end of the arrow moves right, with all dots behind it on its line.
        """
        drawing, left = self, [arrow]
        while left:
            begin, end = map(drawing.dot, left.pop())
            by = begin.x + 1 - end.x
            if end.x > begin.x:
                continue
            behind = {dot.name for dot in drawing.dots if dot.line == end.line and dot.x >= end.x}
            dots = tuple(replace(dot, x=dot.x + by * (dot.name in behind)) for dot in drawing.dots)
            drawing = replace(drawing, dots=dots)
            left += [each for each in drawing.arrows if each[0] in behind]
        return drawing

    def _room(self, line: int, x: Any) -> tuple["Drawing", float]:
        """Return (drawing, x) with room for a dot near column x: a dot less than one column behind it moves on."""
        if not is_number(x) or not 0 <= x <= LAST_COLUMN:
            raise BadInput(f"The place {x!r} is off the line; choose one from 0 to {LAST_COLUMN} columns.")
        x = max(GRID, round(x / GRID) * GRID)
        before = [dot.x for dot in self.dots if dot.line == line and dot.x <= x]
        x = max([x, *(left + 1 for left in before)])
        behind = [dot.x for dot in self.dots if dot.line == line and dot.x > max(before, default=0)]
        if not behind or min(behind) - x >= 1:
            return self, x
        near, by = min(behind), 1 - (min(behind) - x)
        return replace(self, dots=tuple(replace(dot, x=dot.x + by * (dot.x >= near)) for dot in self.dots)), x

    # -- processes -------------------------------------------------------------------------------------------------

    def with_line(self) -> "Drawing":
        """Return the drawing with a process more. Raises `BadInput` when there are six."""
        if len(self.lines) >= MOST:
            raise BadInput(f"There are {MOST} processes, as many as the playground draws.")
        taken = {line.name for line in self.lines}
        name = next(name for number in range(1, MOST + 2) if (name := f"P{number}") not in taken)
        return replace(self, lines=(*self.lines, Line(max(line.key for line in self.lines) + 1, name)))

    def without_line(self, key: int | None) -> "Drawing":
        """Return the drawing without a process, its events and messages. Raises `BadInput` when there are two."""
        self.line(key)
        if len(self.lines) <= FEWEST:
            raise BadInput(f"There are {FEWEST} processes; fewer have nobody to send to.")
        rest = self.without([dot.name for dot in self.dots if dot.line == key])
        return replace(rest, lines=tuple(line for line in self.lines if line.key != key))

    def renamed(self, key: int, name: str) -> "Drawing":
        """Return the drawing with another name for a process. Raises `BadInput` for an empty, long or taken one."""
        name = " ".join(str(name).split())
        if not name:
            raise BadInput(f"{self.line(key).name} needs a name; it keeps the one it had.")
        if len(name) > LONGEST_NAME:
            raise BadInput(f"The name {name!r} has {len(name)} characters; {LONGEST_NAME} fit beside a line.")
        if any(line.name == name and line.key != key for line in self.lines):
            raise BadInput(f"Another process is called {name!r} already; two names that differ keep them apart.")
        self.line(key)
        lines = (replace(line, name=name) if line.key == key else line for line in self.lines)
        return replace(self, lines=tuple(lines))


def _in_order(names):
    """Return processes in the order of their numbers if they differ only in a number, else as they are given."""
    parts = [NUMBERED.fullmatch(name) for name in names]
    if all(parts) and len({part[1] for part in parts}) == 1:
        return sorted(names, key=lambda name: int(NUMBERED.fullmatch(name)[2]))
    return list(names)


def letter(number: int) -> str:
    """Return the name of the n-th event, from 0: a to z, then a1 to z1, and so on."""
    round_, place = divmod(number, 26)
    return "abcdefghijklmnopqrstuvwxyz"[place] + (str(round_) if round_ else "")


SIGNS = {"before": "◀", "after": "▶", "concurrent": "∥", "same": ""}


def stamp_of(drawing: Any, name: str) -> int:
    """Return the Lamport stamp of an event."""
    return drawing.history.lamport[drawing.places[name]]


def vector_of(drawing: Any, name: Any) -> Any:
    """Return the vector stamp of an event as a row, one entry for each line of the drawing."""
    row = drawing.history.vectors[drawing.places[name]]
    return tuple(row.get(line.name, 0) for line in drawing.lines)


def row_text(row: tuple[int, ...]) -> str:
    """Return a vector stamp as it is printed."""
    return f"({', '.join(map(str, row))})"


def relations(drawing: Any, name: str) -> dict[str, str]:
    """Return {event: before, after or concurrent}: the relation of each other event to the named one."""
    history, place = drawing.history, drawing.places[name]
    return {dot.name: history.relation(other, place) for other, dot in enumerate(drawing.order) if other != place}


def doing(drawing: Drawing, name: str) -> str:
    """Describe an event: whom it sends to, or whom it receives from."""
    for one, other in drawing.arrows:
        if other == name:
            return f"receives from {drawing.where(one)} ({one})"
        if one == name:
            return f"sends to {drawing.where(other)} ({other})"
    return "local"


def why(drawing: Any, name: str) -> str:
    """Return the sentence that derives an event's Lamport stamp from the rule that made it."""
    history, place = drawing.history, drawing.places[name]
    stamp, previous = history.lamport[place], history.previous[place]
    stood = 0 if previous is None else history.lamport[previous]
    after = "" if previous is None else f" after {drawing.order[previous].name}"
    clock = f"the clock of {drawing.where(name)} stood at {stood}{after}"
    send = history.sender[place]
    if send is None:
        rule = "send rule" if doing(drawing, name).startswith("sends") else "local rule"
        return f"{rule}, {clock}: {stood} + 1 = {stamp}."
    carried, where = history.lamport[send], drawing.order[send].name
    return (
        f"receive rule, {clock} and the message carries {carried} (sent at {where}): "
        f"max({stood}, {carried}) + 1 = {stamp}."
    )


def compared(drawing: Any, one: str, other: str) -> tuple[str, str, str]:
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


def path_words(drawing: Drawing, path: Any) -> str:
    """Return a path in words: the line or the message of each link."""
    said = path[0]
    for one, other in pairwise(path):
        here = drawing.where(one)
        said += f" → {other} ({'on ' + here if here == drawing.where(other) else 'by message'})"
    return said


def _apart(drawing: Drawing, one: str, other: str, stamps: list[int]) -> str:
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


def _lead(drawing: Drawing, one: str, other: str) -> tuple[str, int, int]:
    """Return (process, its events that `one` knows of, those that `other` does), where the first are more."""
    entries = zip(drawing.lines, vector_of(drawing, one), vector_of(drawing, other), strict=True)
    return next((line.name, mine, its) for line, mine, its in entries if mine > its)
