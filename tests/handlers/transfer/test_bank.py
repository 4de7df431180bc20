"""The bank: its accounts and orders, and its invariants, each of which can fail."""

import pytest

from exactly_once.errors import BadInput
from exactly_once.handlers import Bank
from exactly_once.handlers.transfer import one_by_one, one_transaction, two_stores
from exactly_once.simulate import simulate


class Seen:
    """A view as an invariant is asked about it, of these balances."""

    def __init__(self, balances, done=True, outputs=(), audits=()):
        self.done, self.outputs, self._cells, self._audits = done, list(outputs), balances, list(audits)

    def look(self, store, part, kind):
        return self._audits if kind == "log" else self._cells[part]


@pytest.mark.parametrize("apart", [False, True])
def test_balances_and_audits_of_a_run(apart):
    bank = Bank(two_stores if apart else one_transaction, [[("a", "b", 7)]], apart=apart, auditor=one_by_one)
    outcome = simulate(bank.programs).outcome
    assert bank.balances(outcome) == {"a": 3, "b": 7}
    assert bank.audited(outcome) == [10]
    assert bank.total == 10


def test_a_bank_without_an_auditor_has_no_audits():
    bank = Bank(one_transaction)
    assert bank.audited(simulate(bank.programs).outcome) == []
    assert len(bank.programs) == 2


@pytest.mark.parametrize(
    ("rule", "seen", "said"),
    [
        ("none_below_zero", Seen({"a": -1, "b": 11}), "the account a is at -1"),
        ("total_always", Seen({"a": 3, "b": 0}, done=False),
         "the accounts hold 3 in all, and the bank opened with 10"),
        ("total_in_the_end", Seen({"a": 3, "b": 0}), "the accounts hold 3 in all, and the bank opened with 10"),
        ("total_in_the_end", Seen({"a": -1, "b": 11}, done=False), "the account a is at -1"),
        ("audits_right", Seen({"a": 3, "b": 7}, audits=[10, 17]),
         "the auditor saw 17 in all, and the bank opened with 10"),
        ("as_answered", Seen({"a": 3, "b": 7}, outputs=[[1, 1, "done"], [2, 1, "done"]]),
         "the accounts hold {'a': 3, 'b': 7}, and by the answers {'a': 6, 'b': 4}"),
        ("all_answered", Seen({}, outputs=[[1, 1, "done"]]), "order 1 of mover 2 was answered 0 times"),
        ("all_answered", Seen({}, outputs=[[1, 1, "done"], [1, 1, "done"]]),
         "order 1 of mover 1 was answered 2 times"),
    ],
)  # fmt: skip
def test_each_invariant_says_what_is_wrong(rule, seen, said):
    assert getattr(Bank(one_transaction), rule)(seen) == said


@pytest.mark.parametrize(
    ("rule", "seen"),
    [
        ("none_below_zero", Seen({"a": 0, "b": 10})),
        ("total_always", Seen({"a": 3, "b": 7})),
        ("total_in_the_end", Seen({"a": 3, "b": 0}, done=False)),
        ("audits_right", Seen({}, audits=[10])),
        ("as_answered", Seen({"a": 3, "b": 7}, outputs=[[2, 1, "insufficient funds"], [1, 1, "done"]])),
        ("as_answered", Seen({"a": 3, "b": 0}, done=False)),
        ("all_answered", Seen({}, done=False)),
        ("all_answered", Seen({}, outputs=[[2, 1, "done"], [1, 1, "insufficient funds"]])),
    ],
)
def test_each_invariant_is_kept_where_all_is_well(rule, seen):
    assert getattr(Bank(one_transaction), rule)(seen) is True


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"orders": []}, "give each mover at least one"),
        ({"orders": [[]]}, "give each mover at least one"),
        ({"orders": [[("a", "x", 1)]]}, "from 'a' to 'x'; name two of a, b"),
        ({"orders": [[("a", "a", 1)]]}, "from 'a' to 'a'"),
        ({"orders": [[("a", "b", 0)]]}, "The amount of an order"),
        ({"accounts": {"a": -1, "b": 1}}, "The balance of the account 'a'"),
    ],
)
def test_what_no_bank_can_do_is_refused(settings, said):
    with pytest.raises(BadInput) as why:
        Bank(one_transaction, **settings)
    assert said.lower() in str(why.value).lower()
