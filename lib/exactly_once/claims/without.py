"""The lock-free handler without one of its parts: each broken, with its simplest schedule."""

from collections.abc import Callable

from ..explore import prove
from ..explore.proof import Proof
from ..handlers.logs.database_consumer import FORMS, applied_once, twins
from ..lockfree.flawed import compared_by_value
from ..lockfree.general import PREPARING, follow, next_stage
from ..lockfree.queue import Queue
from ..node.world import QUEUES
from .mutants import following

LEVEL = "read committed"


def _at_the_next(node, form, stage):
    name, message = stage[3][stage[4]]
    queue = Queue(node.store(QUEUES), name)
    written = queue.push_at_idempotent(message, queue.next_index())
    return next_stage(*stage[1:4], stage[4] + written)


def _at_once(node, form, stage):
    if stage[0] == PREPARING:
        return follow(node, form, stage)
    name, message = stage[3][stage[4]]
    written = Queue(node.store(QUEUES), name).push_at(message, stage[5])
    return next_stage(*stage[1:4], stage[4] + written)


def without() -> dict[str, Proof]:
    """Return {name of a part: `Proof` of the handler without this part, with its counterexample}.

    - "PREPARING": each node pushes at the next empty index, and no place is fixed first;
    - "idempotent push": a cell that is full is taken for another's, though it may hold what is to be written;
    - "versions": compare-and-swap compares the values, in a machine that comes back to the same one;
    - "one statement": the database's handler reads the index and then writes it, at read committed.

    Two nodes and no fault break each of them.
    """
    found: dict[str, Callable[[], Proof]] = {
        "PREPARING": lambda: prove(following(_at_the_next, "without_preparing"), nodes=2, items=1, crashes=0),
        "idempotent push": lambda: prove(following(_at_once, "not_idempotent"), nodes=2, items=1, crashes=0),
        "versions": lambda: prove(compared_by_value, nodes=2, items=2, crashes=0),
        "one statement": lambda: prove(twins(FORMS["SET"], LEVEL), crashes=0, invariant=applied_once),
    }
    return {name: proof() for name, proof in found.items()}
