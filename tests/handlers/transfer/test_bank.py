"""The bank, and what an auditor sees of each stage, at any moment: the sum that the bank opened with, or another."""

import pytest

from exactly_once import prove, simulate
from exactly_once.handlers import STAGES, Bank, in_one_transaction, twice, twice_by_value, under_locks


@pytest.mark.parametrize("apart", [False, True])
def test_balances_and_audits_of_a_run(apart):
    bank = Bank(STAGES["cas" if apart else "transaction"], [[("a", "b", 7)]], apart=apart, auditor=twice)
    outcome = simulate(bank.programs).outcome
    assert bank.balances(outcome) == {"a": 3, "b": 7}
    assert bank.audited(outcome) == [10]
    assert bank.total == 10


RIGHT = {  # the auditors that are never fooled; in_one_transaction needs one store
    "transaction": {"in_one_transaction", "twice"},
    "locks": {"under_locks"},
    "ordered": {"under_locks"},
    "halves": set(),
    "cas": set(),
}
BACK_AND_FORTH = [[("a", "b", 7), ("b", "a", 7), ("a", "b", 7)]]
AUDITORS = {one.__name__: one for one in (in_one_transaction, twice, twice_by_value, under_locks)}
CASES = [
    (stage, auditor)
    for stage in STAGES
    for auditor in ("in_one_transaction", "under_locks", "twice", "twice_by_value")
    if (stage, auditor) != ("cas", "in_one_transaction")
]


def audited(stage, auditor, orders):
    one = Bank(STAGES[stage], orders, apart=stage == "cas", auditor=AUDITORS[auditor])
    return prove(one.programs, invariant=one.audits_right, crashes=0)


@pytest.mark.parametrize(("stage", "auditor"), CASES)
@pytest.mark.some(day=6)
def test_who_is_fooled(stage, auditor):
    orders = [[("a", "b", 7)]] if stage == "locks" else BACK_AND_FORTH  # without an order of locks that deadlocks
    assert audited(stage, auditor, orders).ok == (auditor in RIGHT[stage])


def test_a_balance_that_came_back_fools_the_auditor_that_compares_balances():
    assert audited("transaction", "twice_by_value", [[("a", "b", 7)]]).ok
    found = audited("transaction", "twice_by_value", BACK_AND_FORTH).counterexample
    assert found.sentence == "After this schedule the auditor saw 17 in all, and the bank opened with 10."


def test_the_auditor_that_reads_twice_makes_nobody_wait():
    assert audited("transaction", "twice", [[("a", "b", 7)]]).lock_free
    assert not audited("ordered", "under_locks", [[("a", "b", 7)]]).lock_free
