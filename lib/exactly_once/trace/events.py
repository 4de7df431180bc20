"""The events of the flight recorder: they carry Lamport stamps, and all readers read them in one total order."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, Self, TypeAlias, get_args

from ..clocks import total_order
from ..errors import BadInput, CourseError
from ..paths import FileName, file_named

EventKind: TypeAlias = Literal["local", "send", "receive"]
Detail: TypeAlias = dict[str, Any]  # the fields that go into JSON
KINDS: tuple[EventKind, ...] = get_args(EventKind)
OLD_NAME = re.compile(r'("process": )"life (?=\d)')  # as traces were written once


@dataclass(frozen=True)
class Event:
    """One event on one process line.

    `process` is an incarnation ("incarnation 2") or a part of a store ("output"); `kind` is local, send or receive;
    `stamp` is the Lamport stamp. `message` pairs a send with its receive. `verb` is machine-readable ("push", "crash
    point", "dies", "start", …), `text` is for people. `line` is the line of the handler that was running, counted
    from the handler's first line. `wall` is the time in seconds by the machine's own clock, in a run of real
    processes; `wall` orders nothing.
    """

    process: str
    kind: EventKind
    stamp: int
    verb: str
    text: str
    life: int = 0
    step: int = 0
    item: int | None = None
    message: str | None = None
    line: int | None = None
    detail: Detail = field(default_factory=dict)
    wall: float | None = field(default=None, compare=False, repr=False)

    def json(self) -> str:
        """Return the event as one line of JSON."""
        return json.dumps({name: value for name, value in asdict(self).items() if value not in (None, {})})

    @classmethod
    def parse(cls, line: str) -> Self:
        """Return the event that `json` wrote. Raises `BadInput` for anything else."""
        try:
            event = cls(**json.loads(OLD_NAME.sub(r'\1"incarnation ', line)))
        except (TypeError, ValueError) as why:
            raise BadInput(f"This line is no event of a trace ({why}): {str(line)[:80]!r}") from why
        if event.kind not in KINDS or not isinstance(event.stamp, int) or not isinstance(event.process, str):
            raise BadInput(f"This event has kind {event.kind!r} and stamp {event.stamp!r}: {line[:80]!r}")
        return event


class Trace:
    """All events of a run in Lamport's total order: by stamp, ties by process name."""

    def __init__(self, events: Iterable[Event]) -> None:
        events = list(events) if isinstance(events, Iterable) else [events]
        if odd := [event for event in events if not isinstance(event, Event)]:
            raise BadInput(f"A trace is made of events; {odd[0]!r} is none.")
        self.events = sorted(events, key=lambda event: total_order(event.stamp, event.process))

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    def lives(self) -> list[Event]:
        """Return the start event of each incarnation, in the order of the incarnations."""
        return sorted((event for event in self if event.verb == "start"), key=lambda event: event.life)

    def deaths(self) -> list[Event]:
        """Return the last event of each incarnation that died, in the order of the incarnations."""
        return sorted((event for event in self if event.verb == "dies"), key=lambda event: event.life)

    def of_life(self, life: int) -> list[Event]:
        """Return the events on the line of one incarnation, in order."""
        return [event for event in self if event.process == life_name(life)]

    def save(self, path: FileName) -> None:
        """Write the trace as a file of JSON lines. Raises `CourseError` when the file cannot be written."""
        path = file_named("The file of a trace", path)
        try:
            path.write_text("".join(event.json() + "\n" for event in self), encoding="utf-8")
        except OSError as why:
            raise CourseError(
                f"The trace cannot be written to {path} ({why.strerror}). Name a file in a folder that you may write."
            ) from why

    @classmethod
    def load(cls, path: FileName) -> Self:
        """Read a trace that `save` wrote. Raises `BadInput` for a line that is no event and for a file that is no
        trace.
        """
        path = file_named("The file of a trace", path)
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError as why:
            raise BadInput(
                f"The trace {path} cannot be read ({why.strerror}). Name a file that a trace was saved to."
            ) from why
        return cls(Event.parse(line) for line in lines)


def life_name(life: int) -> str:
    """Return the name of the process line of an incarnation."""
    return f"incarnation {life}"


def death_event(last: Event, verb_text: str, detail: Detail | None = None) -> Event:
    """Return the death of an incarnation whose last event is `last`: the message that its successor receives at its
    start.
    """
    return replace(
        last,
        kind="send",
        stamp=last.stamp + 1,
        verb="dies",
        text=verb_text,
        message=takeover(last.life),
        detail=detail or {},
    )


def takeover(life: int) -> str:
    """Return the name of the message that passes from a dead incarnation to the next."""
    return f"takeover {life}>{life + 1}"
