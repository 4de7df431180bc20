"""The bank: its accounts and orders, and its invariants, each of which can fail."""

import pytest

from exactly_once.handlers import STAGES, Bank, twice
from exactly_once.simulate import simulate


@pytest.mark.parametrize("apart", [False, True])
def test_balances_and_audits_of_a_run(apart):
    bank = Bank(STAGES["cas" if apart else "transaction"], [[("a", "b", 7)]], apart=apart, auditor=twice)
    outcome = simulate(bank.programs).outcome
    assert bank.balances(outcome) == {"a": 3, "b": 7}
    assert bank.audited(outcome) == [10]
    assert bank.total == 10
