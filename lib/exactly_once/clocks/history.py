"""A history: events on processes and the messages between them, and the facts that follow from these alone.

The relation "happened before" is that of L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed
System", CACM 21(7), 1978; the vector stamps are those of F. Mattern, 1989, and C. Fidge, 1988.
"""

import random
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self, TypeAlias, get_args

from ..errors import BadInput, is_number, one_of, whole
from .stamps import total_order

EventKind: TypeAlias = Literal["local", "send", "receive"]
Relation: TypeAlias = Literal["before", "after", "concurrent", "same"]


@dataclass(frozen=True)
class Event:
    """One event. `process` is a name; `kind` is local, send or receive; `message` names its message.

    A message's name belongs to one send; each process may receive it. A second receive of it on one process is marked
    as a `redelivery`. `text` is for people.
    """

    process: str
    kind: EventKind
    message: str | None = None
    redelivery: bool = False
    text: str = ""


class History:
    """Events, each named by its place in `events`, from 0, and their order in time as far as messages tell it.

    `events` come in any order that keeps those of one process in theirs: a receive may stand before its send.
    `arrows` are the messages as pairs of places (send, receive), and `sender` has the place of the send for that of
    each receive, and None for any other event's. Raises `BadInput` for events that cannot all have happened: see
    `paired`, and cycles.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        self.events = tuple(events) if isinstance(events, Iterable) else (events,)
        for odd in self.events:
            if not isinstance(odd, Event):
                raise BadInput(f"A history is made of events; {str(odd)[:60]!r} is none. Make it with Event(…).")
        self.arrows = tuple(paired(self.events))
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
        sends = {receive: send for send, receive in self.arrows}
        self.sender = tuple(map(sends.get, range(len(self.events))))
        self.causal_order = causal_order(self.events, [self.causes(place) for place in range(len(self.events))])

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
        """Return the places of the direct causes of an event: the one before it on its process, and its send."""
        return [cause for cause in (self.previous[place], self.sender[place]) if cause is not None]

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
            row: dict[str, int] = {}
            for cause in self.causes(place):
                for process, time in rows[cause].items():
                    row[process] = max(time, row.get(process, 0))
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
        what, largest = f"is a {self[place].kind} event", str(own)
        if (send := self.sender[place]) is not None:
            carried = self.lamport[send]
            what, largest = f"receives a message stamped {carried}", f"max({own}, {carried})"
        return f"{self.name(place)} {what}, its own clock is at {own}: {largest} + 1 = {stamp}."

    def _place(self, place: int) -> int:
        if not len(self):
            raise BadInput("This history has no events, so nothing can be asked of one.")
        return whole("the place of an event", place, 0, len(self) - 1)


def where(event: Event, place: int) -> str:
    """Return how an error names an event: by its number and its process."""
    return f"Event {place + 1} (on {str(event.process)[:40]!r})"


def paired(events: Sequence[Event]) -> list[tuple[int, int]]:
    """Return the arrows of `events` as pairs of places (send, receive), in the order of the receives.

    Raises `BadInput` for the first event that cannot be: of no process, of no kind, a send or a receive without a
    message's name, a message sent twice, received and never sent, or received twice on one process without a mark as
    a redelivery.
    """
    sent, first = dict[str | None, int](), dict[tuple[str, str | None], int]()
    arrows: list[tuple[int, int]] = []
    for place, event in enumerate(events):
        _checked(event, place)
        if event.kind == "send":
            if event.message in sent:
                raise BadInput(
                    f"{where(event, place)}: the message {_short(event.message)} was sent before, at "
                    f"{_other(events, sent[event.message])}; a name belongs to one send, so give each its own."
                )
            sent[event.message] = place
    for place, event in enumerate(events):
        if event.kind != "receive":
            continue
        if event.message not in sent:
            raise BadInput(
                f"{where(event, place)}: the message {_short(event.message)} is received, and nobody sends it; add "
                "its send, or make the event local."
            )
        here = event.process, event.message
        if not event.redelivery and here in first:
            raise BadInput(
                f"{where(event, place)}: the message {_short(event.message)} was received before, at "
                f'{_other(events, first[here])}; mark a redelivery with "redelivery": true, or give the '
                "second delivery a send and a name of its own."
            )
        if not event.redelivery:
            first[here] = place
        arrows.append((sent[event.message], place))
    return arrows


def _checked(event: Event, place: int) -> None:
    spot = where(event, place)
    if not isinstance(event.process, str) or not event.process.strip():
        raise BadInput(f"{spot}: the process is {_short(event.process)}; give its name.")
    one_of(f"{spot}: the kind", event.kind, get_args(EventKind))
    if event.kind == "local":
        if event.message is not None:
            raise BadInput(
                f"{spot}: a local event has the message {_short(event.message)}; it has none, or it is a send or a "
                "receive."
            )
    elif not isinstance(event.message, str) or not event.message:
        raise BadInput(f"{spot}: the message of a {event.kind} is {_short(event.message)}; give the message's name.")
    if not isinstance(event.redelivery, bool):
        raise BadInput(f"{spot}: redelivery is {_short(event.redelivery)}; it is true or false.")
    if event.redelivery and event.kind != "receive":
        raise BadInput(f"{spot}: a {event.kind} event is marked as a redelivery; only a receive can be one.")


def _other(events: Sequence[Event], place: int) -> str:
    text = where(events[place], place)
    return text[0].lower() + text[1:]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def causal_order(events: Sequence[Event], causes: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return all places so that each event comes after its causes (A. Kahn, CACM 5(11), 1962), earliest place first.

    Raises `BadInput` that names a cycle when some event is among its own causes.
    """
    effects, waiting, order = [list[int]() for _ in events], list(map(len, causes)), list[int]()
    for place, direct in enumerate(causes):
        for cause in direct:
            effects[cause].append(place)
    ready = deque(place for place, count in enumerate(waiting) if not count)
    while ready:
        place = ready.popleft()
        order.append(place)
        for effect in effects[place]:
            waiting[effect] -= 1
            if not waiting[effect]:
                ready.append(effect)
    if len(order) < len(events):
        raise BadInput(_cycle(events, causes, waiting))
    return tuple(order)


def _cycle(events: Sequence[Event], causes: Sequence[Sequence[int]], waiting: Sequence[int]) -> str:
    """Return the sentence about a cycle: each event that waits has a cause that waits, so going back must close."""
    place, seen = next(place for place, count in enumerate(waiting) if count), dict[int, int]()
    while place not in seen:
        seen[place] = len(seen)
        place = next(cause for cause in causes[place] if waiting[cause])
    around = [each for each, number in seen.items() if number >= seen[place]][::-1]
    around = around[around.index(min(around)) :] + around[: around.index(min(around))]
    names = [_other(events, each) for each in around]
    if len(names) > 6:
        names = [*names[:3], f"{len(names) - 5} more", *names[-2:]]
    chain = " → ".join([*names, _other(events, around[0])])
    return (
        f"{where(events[around[0]], around[0])}: this event would have to happen before itself: {chain} (each is the "
        "next of its process, or receives what the one before it sends). Put the events of each process in the order "
        "in which they happened."
    )


def random_history(processes: int = 3, events: int = 12, seed: int = 0, messages: float = 0.6) -> History:
    """Return a history of `events` events on `processes` processes p1, p2, …; the same arguments give the same one.

    `messages` is the share of events, 0 to 1, that send or receive if they can. Raises `BadInput` for numbers out of
    range.
    """
    whole("the number of processes", processes, 1, 1000)
    whole("the number of events", events, 0, 10_000_000)
    if not is_number(messages) or not 0 <= messages <= 1:
        raise BadInput(f"The share of messages is {messages!r}; it must be between 0 and 1.")
    chance, names = random.Random(seed), [f"p{number}" for number in range(1, processes + 1)]
    travelling: dict[str, list[str]] = {name: [] for name in names}
    made: list[Event] = []
    sent = 0
    for _ in range(events):
        process = chance.choice(names)
        arriving = travelling[process]
        if chance.random() >= messages or (processes == 1 and not arriving):
            made.append(Event(process, "local"))
        elif arriving and chance.random() < 0.5:
            made.append(Event(process, "receive", arriving.pop(chance.randrange(len(arriving)))))
        else:
            sent += 1
            made.append(Event(process, "send", f"m{sent}"))
            other = chance.choice([name for name in names if name != process])
            travelling[other].append(f"m{sent}")
    return History(made)
