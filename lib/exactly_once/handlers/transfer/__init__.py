"""A bank transfer in five stages (S9): the data that a step may touch when stores share no transaction.

`stages` are the ways to move an amount, and to read all accounts meanwhile; `bank` puts movers, accounts and an
auditor together, to be run and explored, and has its invariants. `chain` closes the circle (S9 to S11): a withdrawal
and a deposit as lock-free handlers with a queue between them, which nothing is lost from.
"""

from .bank import Bank
from .chain import Chain
from .stages import (
    DONE,
    INSUFFICIENT,
    bank_of,
    early_return,
    in_one_transaction,
    one_by_one,
    one_lock_at_a_time,
    one_transaction,
    ordered_locks,
    twice,
    twice_by_value,
    two_locks,
    two_stores,
    under_locks,
    withdraw,
)

STAGES = {
    "transaction": one_transaction,
    "locks": two_locks,
    "ordered": ordered_locks,
    "halves": one_lock_at_a_time,
    "cas": two_stores,
}
