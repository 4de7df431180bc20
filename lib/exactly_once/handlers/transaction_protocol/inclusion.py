"""Trace inclusion: which states of the abstract store are still possible, after all that was seen of the protocol.

Possible is a set of (store, requests under way): whatever was asked for, and not answered, may take effect at any
moment, or never. Each answer, and each look at what readers see, leaves those states that could have shown the same;
when none is left, the protocol has shown what no transactional store could (subset construction, as for a
nondeterministic automaton; M. Rabin, D. Scott, "Finite Automata and Their Decision Problems", IBM Journal of Research
and Development 3(2), 1959).
"""

from ...log.transactions import abstract
from ...log.transactions.abstract import Store

START = ((Store(), ()),)
INIT, COMMIT = "init", "commit"


def under_way(possible, request):
    """Return what is possible after a request of which no answer was heard, or not yet."""
    return _settled((store, (*pending, request)) for store, pending in possible)


def answered(possible, request, answer):
    """Return what is possible after a request was answered: it took effect by now."""
    found = set()
    for store, pending in possible:
        after, said = _effect(store, request)
        if said == answer:
            found.add((after, tuple(one for one in pending if one != request)))
    return _settled(found)


def refused(possible, who):
    """Return what is possible after somebody was told to stop: somebody else was let in."""
    return _settled((store, pending) for store, pending in possible if store.owner != who)


def loaded(possible, position):
    """Return what is possible after this position was loaded."""
    return _settled((store, pending) for store, pending in possible if position_in(store) == position)


def seen(possible, names, positions, all_of_it=False):
    """Return what is possible when these are the transactions in each partition, and the positions committed.

    `all_of_it`: when everything has come to rest, a reader sees all.
    """
    return tuple(
        (store, pending)
        for store, pending in possible
        if all(_shows(tuple(name for name, _ in store.committed), one, all_of_it) for one in names)
        and _shows(tuple(position for _, position in store.committed), positions, all_of_it)
    )


def position_in(store):
    """Return the position that the last transaction committed."""
    last = abstract.load(store)[1]
    return last[1] if last else 0


def _shows(committed, shown, all_of_it):
    return committed == shown if all_of_it else committed[: len(shown)] == shown


def _effect(store, request):
    what, who, *rest = request
    if what == INIT:
        return abstract.init(store, who)
    return abstract.commit(store, who, *rest)


def _settled(possible):
    """Return, in one order, what is possible when requests under way may take effect, each once."""
    found, waiting = set(), list(possible)
    while waiting:
        store, pending = waiting.pop()
        one = store, tuple(sorted({request for request in pending if _matters(store, request)}, key=repr))
        if one in found:
            continue
        found.add(one)
        for request in one[1]:
            waiting.append((_effect(store, request)[0], tuple(other for other in one[1] if other != request)))
    return tuple(sorted(found, key=repr))


def _matters(store, request):
    """Tell whether a request may still change the store."""
    return _effect(store, request)[0] != store
