"""Kafka's transactions as a program for the explorer: the first of two storeys.

One node plays everybody (two lives of a producer, the coordinator, the brokers, the network) by `node.choose`, with
the log's own coordinator and partitions; beside them it carries what the abstract transactional store could hold.
`parts` are the servers, `events` what can happen, `inclusion` the comparison with the abstract store, `fates` what
can still become of a transaction, `program` the handler for `prove`, its bounds, and the rules that can be struck
out.

A life initialises, loads its position and its state, in either order, and has its transactions one after the other:
what is proved here holds for handlers that do the same. Who is fenced may load what is old, for nothing holds its
reads back while markers are being written.

Readers look at everything at every moment. What is committed has to become visible from every state in which no
transaction is open, with nothing more than the coordinator's own steps; one that is open ends by its owner, by the
next life, or by its time-out, and is asked about then. Not in the model: several transactional ids, a group of
several members (KIP-447), followers that lag, requests that are late more than once.
"""

from .events import State
from .fates import ABORTED, COMMITTED, fates, moment_of_commit, transactions_in
from .program import (
    BOUNDS,
    FEW,
    HISTORY,
    MUTANTS,
    VERSIONS,
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
    "VERSIONS",
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
