"""The possible ends of a transaction: the moment of its commit is the one after which nothing can undo it."""

import functools
import re

from ...errors import BadInput
from . import events
from .events import FAULTS

COMMITTED, ABORTED = "committed", "aborted"


def fates(state, name):
    """Return the possible ends of a transaction, a set of `COMMITTED` and `ABORTED`.

    All that can follow is gone through, with no more faults than one: that the transaction times out.
    """
    left = tuple(int(fault == "timeouts") for fault in FAULTS)
    return _fates(events.text(state._replace(left=left)), name)


@functools.lru_cache(events.MOST)
def _fates(written, name):
    following = events.following(written)
    if following:
        return frozenset().union(*(_fates(after, name) for after in following.values()))
    outputs, _ = events.shown(events.at_rest(events.read(written)))
    return frozenset({COMMITTED if name in outputs[0] else ABORTED})


def moment_of_commit(run, name="1.1"):
    """Return the number of the event that decided to commit a transaction, or None where none did.

    `run` is a result of `a_run` or `story`; events are counted from 1. Raises `BadInput` for a transaction that the
    run does not begin.
    """
    if name not in transactions_in(run):
        raise BadInput(
            f"No transaction {name!r} begins in this run; there are: {', '.join(transactions_in(run)) or 'none'}."
        )
    could = [fates(state, name) for _, state in run]
    for number, known in enumerate(could):
        if known == {COMMITTED} and all(later == {COMMITTED} for later in could[number:]):
            return number if number and ABORTED in could[number - 1] else None
    return None


def transactions_in(run):
    """Return the names of the transactions that a run begins, in order."""
    return sorted({word for name, _ in run for word in re.findall(r"\b\d\.\d\b", name)})
