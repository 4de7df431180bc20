"""Gap 01-effects-first: which messages are received before they are sent, in the order in which events stand."""

import random

from .... import show
from ....clocks import Event, History, random_history
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap
from .runs import untouched

SMALL = History([Event("ann", "local"), Event("ann", "send", "m1"), Event("bob", "receive", "m1")])
RUNS = [SMALL, *(random_history(3, 4 + seed, seed, messages=0.9) for seed in range(9))]


def effects_first(events):
    """Return the names of the messages whose receipt stands before their send."""
    sent, found = set(), []
    for event in events:
        if event.kind == "send":
            sent.add(event.message)
        if event.kind == "receive" and event.message not in sent:
            found.append(event.message)
    return found


def _orders():
    """Return (run, order) pairs, the smallest run first: as it was, backwards, and shuffled."""
    found = []
    for seed, run in enumerate(RUNS):
        places = list(range(len(run)))
        shuffled = random.Random(seed).sample(places, len(places))
        found += [(run, places), (run, places[::-1]), (run, shuffled)]
    return found


def check(answer):
    """Ask for the messages of small runs in several orders."""
    cases = _orders()
    found = answers(answer, [[[run[place] for place in order]] for run, order in cases])
    if untouched(answer):
        return unsolved("your lines")
    for (run, order), (fine, said) in zip(cases, found, strict=True):
        expected = effects_first([run[place] for place in order])
        picture = show.history(run, [event.message or "" for event in run], order=order)
        if not fine:
            return wrong(f"Your lines fail: {said}.", picture=picture)
        if isinstance(said, str) or not isinstance(said, list | tuple | set):
            return wrong(f"Your function gives {said!r:.60}; it gives a list of the messages' names.")
        if sorted(map(str, said)) != sorted(expected):
            return wrong(_why(expected, said), picture=picture)
    return right("It needs no clock: that a message is sent before it is received is known without one.")


def _why(expected, said):
    listed = ", ".join(expected) or "none"
    odd = [message for message in said if message not in expected]
    if None in odd:
        return "Your function names None: a local event has no message, and nothing to be compared."
    if odd:
        return f"In this order, received before they are sent: {listed}. Yours has {odd[0]!r} besides."
    twice = "more than once" if set(said) == set(expected) else "not all of them"
    return f"In this order, received before they are sent: {listed}. Yours gives {said!r:.60}, {twice}."


GAP = Gap(
    title="effects that stand before their causes",
    judge=check,
    library=effects_first,
    hints=(
        "Go through the events once, from left to right. What must you remember of those that you have passed?",
        "Keep a set of the messages that were sent so far. `event.kind` is 'local', 'send' or 'receive'; "
        "`event.message` is the message's name.",
        "At a send, add the message to the set. At a receipt whose message is not in it, append the message to the "
        "list that you return.",
    ),
)
