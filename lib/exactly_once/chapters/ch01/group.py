"""A group of members over a network that reorders and duplicates, as a model to explore (for 01g)."""

import string
from typing import NamedTuple

from ...explore.plain import Action, Broken, Model, asked, copied, frozen

TEXTS = string.ascii_lowercase


class State(NamedTuple):
    """The members, their deliveries, and the copies on their way, each as (number of the message, member).

    `quotas` count the broadcasts left to each member, `duplicates` the second copies that may still arrive.
    """

    members: dict
    quotas: dict
    duplicates: int
    delivered: dict
    messages: tuple
    known_to_sender: dict
    on_its_way: tuple = ()


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


class Group(Model):
    """Members of a class, made by `kind(name, names)`, of which each may broadcast so often.

    The answer of each step is the texts that a member delivers.
    """

    def __init__(self, kind, quotas, duplicates=0):
        self.kind, self.duplicates = kind, duplicates
        self.quotas = {f"p{number}": quota for number, quota in enumerate(quotas, start=1)}

    def start(self):
        """Return the group before anything is sent."""
        names = list(self.quotas)
        members = {name: asked("your code", self.kind, name, list(names)) for name in names}
        return State(members, self.quotas, self.duplicates, dict.fromkeys(names, ()), (), {})

    def actions(self, state):
        """Yield the possible next actions: a broadcast, or a copy arrives, and perhaps once more."""
        for name, quota in state.quotas.items():
            if quota:
                yield sends(name)
        for number, name in dict.fromkeys(state.on_its_way):
            yield arrives(name, number)
            if state.duplicates:
                yield arrives(name, number, again=True)

    def sent(self, state, name):
        """Let a member broadcast the next text."""
        member, text, number = copied(state.members[name]), TEXTS[len(state.messages)], len(state.messages)
        message = copied(asked("your code", member.broadcast, text))
        after = state._replace(
            quotas={**state.quotas, name: state.quotas[name] - 1},
            known_to_sender={**state.known_to_sender, text: state.delivered[name]},
            messages=(*state.messages, message),
            on_its_way=(*state.on_its_way, *[(number, other) for other in state.members if other != name]),
        )
        return _delivered(after, name, member, (text,))

    def arrived(self, state, name, number, again):
        """Let a copy of a message arrive at a member; `again` leaves another copy on its way."""
        member, place = copied(state.members[name]), state.on_its_way.index((number, name))
        texts = asked("your code", _received, state, member, copied(state.messages[number]))
        after = state._replace(duplicates=state.duplicates - again)
        if not again:
            after = after._replace(on_its_way=state.on_its_way[:place] + state.on_its_way[place + 1 :])
        return _delivered(after, name, member, texts)

    def judge(self, state):
        """Raise `Broken` unless the group is `causal`."""
        if (said := causal(state)) is not True:
            raise Broken(f"{said}.")

    def key(self, state):
        """Return bytes that are equal for equal groups only."""
        kept = [vars(member) for member in state.members.values()]
        return frozen(kept, state.quotas, state.duplicates, state.delivered, state.messages, sorted(state.on_its_way))

    def shown(self, state):
        """Return the copies that are on their way: (text, member)."""
        return [(TEXTS[number], name) for number, name in state.on_its_way]


def sends(name):
    """Return a member's broadcast, as an action."""
    return Action(f"{name} broadcasts", "sent", (name,))


def arrives(name, number, again=False):
    """Return the arrival of a copy of a message, as an action."""
    copy = " (and another copy stays on its way)" if again else ""
    return Action(f"{TEXTS[number]} arrives at {name}{copy}", "arrived", (name, number, again))


def _delivered(state, name, member, texts):
    delivered = {**state.delivered, name: state.delivered[name] + texts}
    return state._replace(members={**state.members, name: member}, delivered=delivered), texts


def _received(state, member, message):
    said = member.receive(message)
    if isinstance(said, (str, bytes)) or not isinstance(said, (list, tuple)):
        raise TypeError(f"receive returned {repr(said)[:60]}; it returns a list of the texts to deliver now")
    for text in said:
        if not isinstance(text, str) or text not in state.known_to_sender:
            raise ValueError(f"receive returned {repr(text)[:60]}, which nobody has broadcast")
    return tuple(said)
