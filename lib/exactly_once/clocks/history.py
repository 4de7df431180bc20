"""A history: events on processes and the messages between them, and the facts that follow from these alone.

The relation "happened before" is that of L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed
System", CACM 21(7), 1978; the vector stamps are those of F. Mattern, 1989, and C. Fidge, 1988.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self, TypeAlias

from ..errors import BadInput, whole
from .formats.pairing import causal_order, paired, where
from .stamps import total_order

EventKind: TypeAlias = Literal["local", "send", "receive"]
Relation: TypeAlias = Literal["before", "after", "concurrent", "same"]


@dataclass(frozen=True)
class Event:
    """One event. `process` is a name; `kind` is local, send or receive; `message` names its message.

    A message's name belongs to one send. A second receive of the same message is marked as a `redelivery`. `text` is
    for people; `line` is the line of the file that the event was read from.
    """

    process: str
    kind: EventKind
    message: str | None = None
    redelivery: bool = False
    text: str = ""
    line: int | None = None


class History:
    """Events, each named by its place in `events`, from 0, and their order in time as far as messages tell it.

    `events` come in any order that keeps those of one process in theirs: a receive may stand before its send.
    `arrows` replaces the messages' names by pairs of places (send, receive), for logs that name no messages; an event
    may then send to several others and receive from several. Raises `BadInput` for events that cannot all have
    happened: see `pairing.paired`, and cycles.
    """

    completed = 0  # number of the log's clocks that lacked an entry of their causes

    def __init__(self, events: Iterable[Event], arrows: Iterable[tuple[int, int]] | None = None) -> None:
        self.events = tuple(events) if isinstance(events, Iterable) else (events,)
        for odd in self.events:
            if not isinstance(odd, Event):
                raise BadInput(f"A history is made of events; {str(odd)[:60]!r} is none. Make it with Event(…).")
        self.arrows = tuple(paired(self.events) if arrows is None else self._places(arrows))
        rows: defaultdict[str, list[int]] = defaultdict(list)
        previous: list[int | None] = []
        index: list[int] = []
        for place, event in enumerate(self.events):
            row = rows[event.process]
            previous.append(row[-1] if row else None)
            row.append(place)
            index.append(len(row))
        self.rows = {process: tuple(row) for process, row in rows.items()}
        self.previous, self.index = tuple(previous), tuple(index)
        senders: list[list[int]] = [[] for _ in self.events]
        for send, receive in self.arrows:
            senders[receive].append(send)
        self.senders = tuple(map(tuple, senders))
        self.causal_order = causal_order(self.events, self.previous, self.senders)

    @classmethod
    def merge(cls, logs: Iterable[Iterable[Event]] | Mapping[str, Iterable[Event]]) -> Self:
        """Return the history of several logs, each in its own order: an iterable of them, or {process: log}.

        The result does not depend on the order of the logs, save for the places: Lamport's total order is the same.
        """
        logs = logs.values() if isinstance(logs, Mapping) else logs
        return cls(event for log in logs for event in log)

    def __len__(self) -> int:
        return len(self.events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __getitem__(self, place: int) -> Event:
        return self.events[place]

    @property
    def processes(self) -> tuple[str, ...]:
        """The names of the processes, in the order of their first events."""
        return tuple(self.rows)

    def at(self, process: str, index: int) -> int:
        """Return the place of the event with this number (from 1) on `process`. Raises `BadInput` if there is
        none.
        """
        if process not in self.rows:
            raise BadInput(f"The process is {process!r}; there are {', '.join(map(str, self.processes))}.")
        return self.rows[process][whole("the number of an event", index, 1, len(self.rows[process])) - 1]

    def name(self, place: int) -> str:
        """Return an event's short name: its process and its number there, such as "p2.3"."""
        return f"{self.events[place].process}.{self.index[place]}"

    def causes(self, place: int) -> list[int]:
        """Return the places of the direct causes of an event: the one before it on its process, and its senders."""
        return [cause for cause in (self.previous[place], *self.senders[place]) if cause is not None]

    @cached_property
    def lamport(self) -> tuple[int, ...]:
        """The Lamport stamps, by place: 1 more than the largest among the direct causes, from 0."""
        stamps = [0] * len(self)
        for place in self.causal_order:
            stamps[place] = 1 + max((stamps[cause] for cause in self.causes(place)), default=0)
        return tuple(stamps)

    @cached_property
    def vectors(self) -> tuple[dict[str, int], ...]:
        """The vector stamps, by place: {process: how many of its events are known here}, without zeros."""
        rows: list[dict[str, int]] = [{}] * len(self)
        for place in self.causal_order:
            previous = self.previous[place]
            row = {} if previous is None else dict(rows[previous])
            for send in self.senders[place]:
                for process, time in rows[send].items():
                    if row.get(process, 0) < time:
                        row[process] = time
            row[self.events[place].process] = self.index[place]
            rows[place] = row
        return tuple(rows)

    def total_order(self) -> list[int]:
        """Return the places in Lamport's total order: by stamp, then by the process's name."""
        return sorted(range(len(self)), key=lambda place: total_order(self.lamport[place], self[place].process))

    def happened_before(self, one: int, other: int) -> bool:
        """Tell whether event `one` happened before event `other`: whether `other`'s vector stamp counts `one` in."""
        one, other = self._place(one), self._place(other)
        return one != other and self.vectors[other].get(self[one].process, 0) >= self.index[one]

    def concurrent(self, one: int, other: int) -> bool:
        """Tell whether two different events are concurrent: neither happened before the other."""
        return self.relation(one, other) == "concurrent"

    def relation(self, one: int, other: int) -> Relation:
        """Return how `one` stands to `other`: "before", "after", "concurrent", or "same"."""
        if self.happened_before(one, other):
            return "before"
        if self.happened_before(other, one):
            return "after"
        return "same" if one == other else "concurrent"

    def path(self, one: int, other: int) -> list[int] | None:
        """Return the places on the shortest way from `one` to `other` along process lines and messages, or None.

        The way is the proof that `one` happened before `other`.
        """
        if one != other and not self.happened_before(one, other):
            return None
        came, ways = {self._place(other): other}, deque([other])
        while one not in came:
            effect = ways.popleft()
            for cause in self.causes(effect):
                if cause not in came:
                    came[cause] = effect
                    ways.append(cause)
        path = [one]
        while path[-1] != other:
            path.append(came[path[-1]])
        return path

    def concurrent_pairs(self) -> int:
        """Return the number of pairs of events of which neither happened before the other.

        A vector stamp counts its event and all that happened before it, so the ordered pairs need no comparison.
        """
        ordered = sum(sum(vector.values()) - 1 for vector in self.vectors)
        return len(self) * (len(self) - 1) // 2 - ordered

    def why(self, place: int) -> str:
        """Return the sentence that derives the Lamport stamp of an event from those before it."""
        before = self.previous[self._place(place)]
        own, stamp = 0 if before is None else self.lamport[before], self.lamport[place]
        carried = [self.lamport[send] for send in self.senders[place]]
        if carried:
            said = " and ".join(map(str, carried))
            messages = "a message" if len(carried) == 1 else "messages"
            sum_of = f"max({', '.join(map(str, [own, *carried]))}) + 1 = {stamp}"
            return f"{self.name(place)} receives {messages} stamped {said}, its own clock is at {own}: {sum_of}."
        return f"{self.name(place)} is a {self[place].kind} event, its own clock is at {own}: {own} + 1 = {stamp}."

    def _places(self, arrows: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        for arrow in arrows if isinstance(arrows, Iterable) else [arrows]:
            if not isinstance(arrow, tuple | list) or len(arrow) != 2:
                raise BadInput(f"An arrow is {arrow!r}; it is a pair: the places of the send and of the receive.")
            send, receive = (whole("the end of an arrow", place, 0, len(self) - 1) for place in arrow)
            yield send, receive

    def _place(self, place: int) -> int:
        if not len(self):
            raise BadInput("This history has no events, so nothing can be asked of one.")
        return whole("the place of an event", place, 0, len(self) - 1)

    def where(self, place: int) -> str:
        """Return where an event comes from, for errors: its line in a file, or its number and process."""
        return where(self.events[self._place(place)], place)
