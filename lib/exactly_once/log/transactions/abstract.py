"""The abstract transactional store: what transactions promise, without a word on how they keep it.

A store is a `Store`; each operation is a function (store, …) → (the store after it, the answer), and takes effect at
one moment. What the real protocol shows has to be something that this store could show, for some choice of these
moments: each operation's lies between its request and its answer; one whose answer nobody heard may take effect at
any time after its request, or never.
"""

from typing import Any, NamedTuple

DONE, FENCED = "done", "fenced"


class Store(NamedTuple):
    """`committed` holds the transactions in the order of their commits, `owner` is who was let in last."""

    committed: tuple[Any, ...] = ()
    owner: Any = None


def init(store, who):
    """Let somebody in. Everybody before is fenced: what they have not committed by now will never be."""
    return store._replace(owner=who), DONE


def may_load(store, who):
    """Return what somebody may load: transactions with which a position and a state were committed, None for none.

    Whoever was let in last loads the last one. For everybody else what is loaded may be old.
    """
    there = None, *store.committed
    return there[-1:] if who == store.owner else there


def commit(store, who, transaction):
    """Commit a transaction, with all that is in it, at one moment. Whoever is fenced is refused.

    An answer may be lost, so the same commit may be asked for twice: it takes effect once.
    """
    if store.owner != who:
        return store, FENCED
    if transaction in store.committed:
        return store, DONE
    return store._replace(committed=(*store.committed, transaction)), DONE


def could_show(store, seen):
    """Tell whether a reader may see these transactions: the first ones, in order. Readers may lag behind."""
    return store.committed[: len(seen)] == tuple(seen)
