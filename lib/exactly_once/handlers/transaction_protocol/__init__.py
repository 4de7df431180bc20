"""Kafka's transactions as a program for the explorer: the first of two storeys.

One node plays everybody (two lives of a producer, the coordinator, the brokers, the network) by `node.choose`, with
the log's own coordinator and partitions; beside them it carries what the abstract transactional store could hold.
`parts` are the servers, `events` what can happen, `inclusion` the comparison with the abstract store, `program` the
handler for `prove` and its bounds.
"""

from .events import State
from .fates import ABORTED, COMMITTED, fates, moment_of_commit, transactions_in
from .program import (
    BOUNDS,
    FEW,
    HISTORY,
    MUTANTS,
    Mutant,
    a_run,
    after,
    as_invariant,
    as_the_abstract_store,
    story,
    transaction_protocol,
    what_can_happen,
    what_happened,
)

__all__ = [
    "ABORTED",
    "BOUNDS",
    "COMMITTED",
    "FEW",
    "HISTORY",
    "MUTANTS",
    "Mutant",
    "State",
    "a_run",
    "after",
    "as_invariant",
    "as_the_abstract_store",
    "fates",
    "moment_of_commit",
    "story",
    "transaction_protocol",
    "transactions_in",
    "what_can_happen",
    "what_happened",
]
