"""Histories made up at random, for quizzes and tests."""

import random

from ..errors import BadInput, is_number, whole
from .history import Event, History


def random_history(
    processes: int = 3, events: int = 12, seed: int = 0, messages: float = 0.6, overtaking: bool = True
) -> History:
    """Return a history of `events` events on `processes` processes p1, p2, …; the same arguments give the same one.

    `messages` is the share of events, 0 to 1, that send or receive if they can; without `overtaking`, messages from
    one process to another arrive in the order in which they were sent. Raises `BadInput` for numbers out of range.
    """
    whole("the number of processes", processes, 1, 1000)
    whole("the number of events", events, 0, 10_000_000)
    if not is_number(messages) or not 0 <= messages <= 1:
        raise BadInput(f"The share of messages is {messages!r}; it must be between 0 and 1.")
    chance, names = random.Random(seed), [f"p{number}" for number in range(1, processes + 1)]
    travelling: dict[str, list[tuple[str, str]]] = {name: [] for name in names}
    made: list[Event] = []
    sent = 0
    for _ in range(events):
        process = chance.choice(names)
        arriving = travelling[process]
        if chance.random() >= messages or (processes == 1 and not arriving):
            made.append(Event(process, "local"))
        elif arriving and chance.random() < 0.5:
            made.append(Event(process, "receive", _arrival(arriving, overtaking, chance)[1]))
        else:
            sent += 1
            made.append(Event(process, "send", f"m{sent}"))
            other = chance.choice([name for name in names if name != process])
            travelling[other].append((process, f"m{sent}"))
    return History(made)


def _arrival(arriving: list[tuple[str, str]], overtaking: bool, chance: random.Random) -> tuple[str, str]:
    """Take one of the messages that travel to a process: any, or the oldest of the one who sent it."""
    chosen = chance.randrange(len(arriving))
    if not overtaking:
        sender = arriving[chosen][0]
        chosen = next(number for number, message in enumerate(arriving) if message[0] == sender)
    return arriving.pop(chosen)
