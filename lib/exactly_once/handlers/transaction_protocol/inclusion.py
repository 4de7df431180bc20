"""Trace inclusion: the states of the abstract store that are still possible after the protocol's visible answers.

`possible` is a set of (store, requests under way): a request without an answer may take effect at any moment, once,
or never. Each answer, and each look of a reader, keeps the states that could have shown the same. When no state is
left, the protocol has shown a result that no transactional store could show. It is the subset construction of a
nondeterministic automaton (M. Rabin, D. Scott, "Finite Automata and Their Decision Problems", IBM Journal of Research
and Development 3(2), 1959). A transaction is (its name, the position that it commits).
"""

from typing import Any

from ...log.transactions.abstract import Store, commit, could_show, init, may_load

START = ((Store(), ()),)
INIT, COMMIT = "init", "commit"


def under_way(possible: tuple[tuple[Any, ...], ...], request: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the possible states after a request that has no answer, or none yet."""
    return _settled((store, (*pending, request)) for store, pending in possible)


def answered(possible: tuple[Any, ...], request: tuple[Any, ...], answer: Any) -> tuple[Any, ...]:
    """Return the possible states after a request was answered: it has taken effect by now."""
    found = []
    for store, pending in possible:
        after, said = _effect(store, request)
        if said == answer:
            found.append((after, tuple(one for one in pending if one != request)))
    return _settled(found)


def refused(possible: tuple[tuple[Any, ...], ...], who: int) -> tuple[tuple[Any, ...], ...]:
    """Return the possible states after `who` was told to stop: another has been let in."""
    return _settled((store, pending) for store, pending in possible if store.owner != who)


def loaded(possible, who, position=None, name=None):
    """Return the possible states after `who` loaded this position, or the state of the transaction of this name.

    The name is "" for the state before all transactions. Position and state are loaded one after the other.
    """

    def explains(store):
        found = [one or ("", 0) for one in may_load(store, who)]
        return any(position in (None, place) and name in (None, called) for called, place in found)

    return _settled((store, pending) for store, pending in possible if explains(store))


def seen(possible, outputs, position, at_rest=False):
    """Return the possible states when readers see these transactions in each output, and this committed position.

    Readers may lag behind; `at_rest`, when nothing more is going to happen, they see all.
    """
    return tuple((store, pending) for store, pending in possible if _explains(store, outputs, position, at_rest))


def known(possible: tuple[tuple[Any, ...], ...]) -> tuple[str, ...]:
    """Return the names of the transactions that are committed in every possible state, in order."""
    stores = [store.committed for store, _ in possible]
    return tuple(name for name, _ in stores[0] if all(name in dict(other) for other in stores)) if stores else ()


def _explains(store, outputs, position, at_rest):
    names = store._replace(committed=tuple(name for name, _ in store.committed))
    if at_rest:
        return set(outputs) == {names.committed} and position == (0, *(one for _, one in store.committed))[-1]
    positions = 0, *(one for _, one in store.committed)
    return all(could_show(names, one) for one in outputs) and position in positions


def _effect(store, request):
    what, who, *rest = request
    return init(store, who) if what == INIT else commit(store, who, *rest)


def _settled(possible: Any) -> tuple[Any, ...]:
    """Return, in one order, the possible states when requests under way may take effect."""
    found, waiting = set(), list(possible)
    while waiting:
        store, pending = waiting.pop()
        pending = tuple(sorted({one for one in pending if _effect(store, one)[0] != store}, key=repr))
        if (store, pending) not in found:
            found.add((store, pending))
            waiting += [
                (_effect(store, request)[0], tuple(one for one in pending if one != request)) for request in pending
            ]
    return tuple(sorted(found, key=repr))
