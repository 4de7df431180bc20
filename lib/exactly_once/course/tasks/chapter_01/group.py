"""A group of members over a network that reorders and duplicates, and the search through all it can do (for 01g)."""

import copy
import io
import pickle
import string
from collections import deque
from dataclasses import dataclass, field

from ....errors import CourseError
from ..run_answer import own_lines, words_of

TEXTS = string.ascii_lowercase


@dataclass(frozen=True)
class Bounds:
    """How often each member may broadcast, and how many second copies the network may deliver in a whole run."""

    quotas: tuple
    duplicates: int = 0

    @property
    def members(self):
        """The members' names."""
        return [f"p{number}" for number in range(1, len(self.quotas) + 1)]

    def __str__(self):
        copies = ("", ", one copy too many", ", two copies too many")[self.duplicates]
        total = sum(self.quotas)
        return f"{len(self.quotas)} members, {total} broadcast{'s' if total > 1 else ''}{copies}"


@dataclass(frozen=True)
class Found:
    """What a search or a run came to: `moves` against the class, or None; what is wrong; and what happened.

    `events` are (what, member, text, the texts that were delivered there), `on_its_way` the (text, member) of copies
    that have not arrived in the end; `states` is how many were looked at.
    """

    moves: tuple | None = None
    problem: str = ""
    events: tuple = ()
    on_its_way: tuple = ()
    states: int = 0
    traceback: str = ""


def causal(group):
    """Nothing is delivered twice, and nothing before what its sender had delivered or sent before it.

    As soon as no copy is on its way any more, everybody has delivered everything.
    """
    for member, delivered in group.delivered.items():
        for place, text in enumerate(delivered):
            earlier = delivered[:place]
            if text in earlier:
                return f"{member} delivers {text} twice"
            if missing := [cause for cause in group.known_to_sender[text] if cause not in earlier]:
                return f"{member} delivers {text} before {missing[0]}, which its sender knew when it sent {text}"
        if not group.on_its_way and (lost := [text for text in group.known_to_sender if text not in delivered]):
            return f"no copy is on its way any more, and {member} has not delivered {lost[0]}"
    return True


@dataclass
class Group:
    """The members, what they have delivered, and what is on its way: (number of the message, member) of each copy."""

    members: dict
    quotas: dict
    duplicates: int
    delivered: dict
    messages: list = field(default_factory=list)
    known_to_sender: dict = field(default_factory=dict)
    on_its_way: tuple = ()

    @classmethod
    def of(cls, kind, bounds):
        """Return the group at its beginning; `kind(name, names)` makes a member."""
        names = bounds.members
        members = {name: kind(name, list(names)) for name in names}
        return cls(members, dict(zip(names, bounds.quotas, strict=True)), bounds.duplicates, dict.fromkeys(names, ()))

    def moves(self):
        """Return what can happen next: (what, member, number of the message)."""
        sends = [("sends", name, None) for name, quota in self.quotas.items() if quota]
        ways = ["arrives", "arrives twice"] if self.duplicates else ["arrives"]
        return [*sends, *[(way, name, number) for number, name in dict.fromkeys(self.on_its_way) for way in ways]]

    def after(self, move):
        """Return (the group after a move, the event); this group stays as it is. Raises what a member raises."""
        what, name, number = move
        after = self._copy(name)
        member = after.members[name]
        if what == "sends":
            text = TEXTS[len(self.messages)]
            after.quotas = {**self.quotas, name: self.quotas[name] - 1}
            after.known_to_sender = {**self.known_to_sender, text: self.delivered[name]}
            after.messages = [*self.messages, copy.deepcopy(member.broadcast(text))]
            number, delivered = len(self.messages), (text,)
            after.on_its_way = (*self.on_its_way, *[(number, other) for other in self.members if other != name])
        else:
            delivered = self._texts(member.receive(copy.deepcopy(self.messages[number])))
            if what == "arrives twice":
                after.duplicates -= 1
            else:
                place = self.on_its_way.index((number, name))
                after.on_its_way = self.on_its_way[:place] + self.on_its_way[place + 1 :]
        after.delivered = {**self.delivered, name: self.delivered[name] + delivered}
        return after, (what, name, TEXTS[number], delivered)

    def _copy(self, name):
        """Return a copy in which the member `name` is one of its own."""
        member = copy.deepcopy(self.members[name])
        return Group(
            {**self.members, name: member}, self.quotas, self.duplicates, self.delivered, self.messages,
            self.known_to_sender, self.on_its_way,
        )  # fmt: skip

    def _texts(self, said):
        if isinstance(said, (str, bytes)) or not isinstance(said, (list, tuple)):
            raise TypeError(f"receive returned {repr(said)[:60]}; it returns a list of the texts to deliver now")
        for text in said:
            if not isinstance(text, str) or text not in self.known_to_sender:
                raise ValueError(f"receive returned {repr(text)[:60]}, which nobody has broadcast")
        return tuple(said)

    def key(self):
        """Return bytes that are equal for equal groups only."""
        kept = [vars(member) for member in self.members.values()]
        pickled = io.BytesIO()
        pickler = _Pickler(pickled)
        pickler.fast = True  # equal values, equal bytes: without it, they depend on which of them are one object
        pickler.dump([kept, self.quotas, self.duplicates, self.delivered, self.messages, sorted(self.on_its_way)])
        return pickled.getvalue()


class _Pickler(pickle.Pickler):
    """Pickles a class by its name: nobody reads these bytes, and a learner's class lives in no module."""

    def reducer_override(self, value):
        return (named, (value.__qualname__,)) if isinstance(value, type) else NotImplemented


def named(name):
    """Return what stands for a class in those bytes."""
    return name


def searched(kind, bounds):
    """Return what the search finds: the shortest moves after which `causal` does not hold, or how many states.

    Raises `CourseError` for members that cannot be copied or compared.
    """
    first = Group.of(kind, bounds)
    seen, queue = {_key(first)}, deque([(first, ())])
    while queue:
        group, moves = queue.popleft()
        for move in group.moves():
            found, after = _step(group, move, Found((*moves, move)))
            if found.problem:
                return found
            if (key := _key(after)) not in seen:
                seen.add(key)
                queue.append((after, found.moves))
    return Found(states=len(seen))


def carried_out(kind, bounds, moves):
    """Return the run of these moves, with what is wrong with the last of them."""
    group, after, events, found = Group.of(kind, bounds), None, [], Found(moves)
    for move in moves:
        found, after = _step(group, move, found)
        if after is None:
            events.append((move[0], move[1], TEXTS[len(group.messages) if move[2] is None else move[2]], ()))
            break
        events.append(found.events[-1])
        if found.problem:
            break
        group = after
    left = [(TEXTS[number], name) for number, name in (after or group).on_its_way]
    return Found(moves, found.problem, tuple(events), tuple(left), traceback=found.traceback)


def _step(group, move, found):
    try:
        after, event = group.after(move)
    except Exception as why:  # noqa: BLE001 - whatever a learner's code raises is told, with the moves before it
        return Found(found.moves, f"your code fails with {words_of(why)}", traceback=own_lines(why)), None
    said = causal(after)
    return Found(found.moves, "" if said is True else said, (event,)), after


def _key(group):
    try:
        return group.key()
    except Exception as why:
        raise CourseError(
            f"A member holds something that cannot be compared ({type(why).__name__}: {why}). Keep numbers, texts, "
            "lists, sets and dictionaries in self."
        ) from why
