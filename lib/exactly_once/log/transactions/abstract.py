"""The abstract transactional store: the guarantees of transactions, without their implementation.

A store is a `Store`; each operation is a function (store, …) → (the store after it, the answer), and takes effect at
one moment. The real protocol is correct if this store could show the same answers, for some choice of these moments:
the moment of each operation lies between its request and its answer; an operation without an answer may take effect
at any time after its request, or never.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

DONE, FENCED = "done", "fenced"


class Store(NamedTuple):
    """`committed` holds the transactions in the order of their commits, `owner` is who was let in last."""

    committed: tuple[Any, ...] = ()
    owner: Any = None


def init(store: Store, who: Any) -> tuple[Store, str]:
    """Let somebody in. All earlier owners are fenced: their uncommitted transactions will never be committed."""
    return store._replace(owner=who), DONE


def may_load(store: Store, who: Any) -> tuple[Any, ...]:
    """Return the list of transactions whose position and state `who` may load, with None for no transaction.

    The current owner loads the last one. Any other process may load an old one.
    """
    there = None, *store.committed
    return there[-1:] if who == store.owner else there


def commit(store: Store, who: Any, transaction: Any) -> tuple[Store, str]:
    """Commit a transaction, with all that is in it, at one moment. A fenced process is refused.

    An answer may be lost, so the same commit may be asked for twice: it takes effect once.
    """
    if store.owner != who:
        return store, FENCED
    if transaction in store.committed:
        return store, DONE
    return store._replace(committed=(*store.committed, transaction)), DONE


def could_show(store: Store, seen: Sequence[Any]) -> bool:
    """Tell whether a reader may see these transactions: the first ones, in order. Readers may lag behind."""
    return store.committed[: len(seen)] == tuple(seen)
