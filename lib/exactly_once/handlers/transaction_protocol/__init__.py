"""Kafka's transactions as a program for the explorer: the first of two levels of refinement.

One node plays all roles (two incarnations of a producer, the coordinator, the brokers, the network) by `node.choose`,
with the log's own coordinator and partitions; beside them it keeps the possible states of the abstract transactional
store. `parts` holds the servers, `events` the possible events, `inclusion` the comparison with the abstract store,
`protocol_program` the handler for `prove`, its bounds, the rules that a mutant can drop, and the possible ends of a
transaction.

An incarnation initialises, loads its position and its state, in either order, and runs its transactions one after the
other: the proof holds for handlers that do the same. A fenced incarnation may load old values, for nothing delays its
reads while markers are being written.

Readers look at everything at every moment. From every state without an open transaction, the coordinator's own steps
alone must make all committed records visible. An open transaction is ended by its owner, by the next incarnation, or
by its timeout; the rule applies after that. Not in the model: several transactional ids, a group of several members
(KIP-447), followers that lag, requests that are late more than once.
"""

from .events import State
from .protocol_program import (
    ABORTED,
    COMMITTED,
    HISTORY,
    MUTANTS,
    VERSIONS,
    a_run,
    as_the_abstract_store,
    fates,
    moment_of_commit,
    story,
    transaction_protocol,
    transactions_in,
)
