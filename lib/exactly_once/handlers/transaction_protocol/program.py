"""The protocol as a handler for `prove`: its bounds, the rules that can be struck out, and what is asked of it."""

import functools

from ...errors import BadInput, one_of, whole
from . import events
from .events import FAULTS, OVER, Life, State

MUTANTS = {
    "marker forgotten": "The coordinator writes no marker to the second partition of a transaction.",
    "offsets outside": "The position is committed by itself, outside the transaction.",
    "epoch not raised": "A life that initialises gets the epoch of the life before it.",
    "init does not wait": "A life that initialises is let in while markers are still to be written.",
    "last stable offset too high": "Readers see whatever is committed to the log, also of transactions still open.",
    "acknowledged early": "A commit is acknowledged before PrepareCommit is in the coordinator's log.",
}


def transaction_protocol(
    protocol=2,
    deaths=0,
    pauses=0,
    late=0,
    lost=0,
    timeouts=0,
    lives=2,
    transactions=2,
    mutant=None,
    asks=events.ASKS,
    watched=False,
):
    """Return a handler for `prove`: the whole protocol of Kafka's transactions, of which anything may happen next.

    One transactional id has so many `lives`, each with up to so many `transactions`: a record to each of two
    partitions, and the position. A life ends when the next one begins, unless it was stalled.
    """
    one_of("The transaction protocol", protocol, (1, 2))
    whole("lives", lives, least=1, most=2)
    whole("transactions", transactions, least=1, most=3)
    left = tuple(
        whole(name, value)
        for name, value in zip(FAULTS, (deaths, pauses, late, lost, timeouts), strict=True)
    )
    struck = (mutant,) if isinstance(mutant, str) else tuple(sorted(mutant or ()))
    for one in struck:
        one_of("The mutant", one, MUTANTS)
    start = events.text(
        State(protocol, struck, transactions, tuple(asks), lives=(Life(), Life() if lives == 2 else OVER), left=left)
    )

    def cluster(node):
        state = start
        while what_can_happen(state):
            state = after(state, node.choose(what_can_happen(state)))
            if watched:
                node.state.save(state)
        node.state.save(state)

    return cluster


def what_can_happen(state):
    """Return the names of the events that can come next."""
    return list(events.following(state))


def after(state, name):
    """Return the state after the event of this name."""
    return events.following(state)[name]


def as_the_store_shows(view):
    """The invariant."""
    if not isinstance(view.state, str):
        return True
    return events.wrong(events.read(view.state)) or True
