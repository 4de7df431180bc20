"""What becomes of the money in each stage of a transfer: every schedule, with and without a crash."""

import pytest

from exactly_once import Fault, FaultPlan, prove, simulate
from exactly_once.handlers import STAGES, Bank, early_return

APART = {"cas"}
DONE, INSUFFICIENT = "done", "insufficient funds"
two_locks, ordered_locks = STAGES["locks"], STAGES["ordered"]
RING = ([("a", "b", 2)], [("b", "c", 2)], [("c", "a", 2)])
FIVE_EACH = {"a": 5, "b": 5, "c": 5}
TOO_MUCH_FIRST = [[("b", "c", 9), ("a", "b", 1)], [("a", "b", 1)]]


def bank(stage, *arguments, **settings):
    return Bank(STAGES[stage], *arguments, apart=stage in APART, **settings)


def explored(one, rule, crashes=0, **faults):
    return prove(one.programs, invariant=getattr(one, rule), crashes=crashes, **faults)


@pytest.mark.parametrize("stage", STAGES)
def test_orders_are_carried_out_in_turn_and_answered(stage):
    one = bank(stage, [[("a", "b", 7), ("b", "a", 3), ("a", "b", 7)]])
    run = simulate(one.programs)
    assert one.balances(run.outcome) == {"a": 6, "b": 4}
    assert [push.value for push in run.pushes] == [[1, 1, DONE], [1, 2, DONE], [1, 3, INSUFFICIENT]]


@pytest.mark.parametrize("stage", [stage for stage in STAGES if stage != "locks"])
@pytest.mark.parametrize("orders", [[[("a", "b", 7)], [("b", "a", 3)]], [[("a", "b", 7)], [("a", "b", 7)]], RING])
@pytest.mark.some(day=4, ci=8)
def test_without_a_crash_nothing_is_lost_in_the_end(stage, orders):
    one = bank(stage, orders, FIVE_EACH | {"a": 10})
    assert explored(one, "total_in_the_end").ok
    assert explored(one, "as_answered").ok


@pytest.mark.parametrize("stage", STAGES)
def test_what_is_done_again_is_moved_twice(stage):
    one = Bank(STAGES[stage], [[("a", "b", 2)]], apart=stage in APART, again=True)
    crashed = prove(one.programs, invariant=lambda view: not view.done or one.balances(view)["b"] == 2, crashes=1)
    assert crashed.counterexample.run.outcome.outputs  # it was answered
    assert one.balances(crashed.counterexample.run.outcome)["b"] == 4
    assert explored(one, "total_in_the_end", 1).ok == (stage == "transaction")


@pytest.mark.parametrize("orders", [[[("a", "b", 7)], [("b", "a", 3)]], RING])
def test_two_locks_can_deadlock_and_ordered_ones_cannot(orders):
    assert explored(Bank(two_locks, orders, FIVE_EACH), "none_below_zero").counterexample.kind == "deadlock"
    assert explored(Bank(ordered_locks, orders, FIVE_EACH), "none_below_zero", 1).ok


def test_the_early_return_keeps_both_locks_and_so_brings_the_deadlock_back():
    accounts = {"a": 5, "b": 5, "c": 0}
    assert explored(Bank(ordered_locks, TOO_MUCH_FIRST, accounts), "total_in_the_end").ok
    found = explored(Bank(early_return, TOO_MUCH_FIRST, accounts), "total_in_the_end").counterexample
    assert found.kind == "deadlock"
    assert INSUFFICIENT in "".join(found.explanation)


def test_the_locks_that_an_early_return_keeps_are_free_when_the_life_ends():
    one = Bank(early_return, [[("a", "b", 99)], [("a", "b", 1)]])
    assert explored(one, "as_answered").ok


@pytest.mark.parametrize("stage", STAGES)
def test_no_account_is_ever_below_zero(stage):
    orders = [[("a", "b", 7)], [("a", "b", 7)]]  # one of them comes too late: it fits the lock order of all stages
    assert explored(bank(stage, orders), "none_below_zero", 1).ok


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("fault", ["crashes", "lost_replies", "lost_requests", "pauses"])
def test_half_a_transfer_is_lost_in_every_stage_but_one_transaction(stage, fault):
    proof = explored(bank(stage, [[("a", "b", 7)]]), "total_in_the_end", **{"crashes": 0, fault: 1})
    assert proof.ok == (stage == "transaction")
    if not proof.ok:
        assert proof.counterexample.sentence == (
            "After this schedule the accounts hold 3 in all, and the bank opened with 10."
        )


@pytest.mark.parametrize("stage", STAGES)
def test_the_total_is_wrong_for_a_moment_in_every_stage_but_one_transaction(stage):
    assert explored(bank(stage, [[("a", "b", 7)]]), "total_always").ok == (stage == "transaction")


@pytest.mark.parametrize("stage", STAGES)
def test_the_stages_without_locks_are_lock_free(stage):
    found = explored(bank(stage, [[("a", "b", 7)], [("a", "b", 2)]]), "none_below_zero")
    assert found.lock_free == (stage in ("transaction", "cas"))


def test_an_order_that_a_dead_life_began_is_not_begun_again():
    one = bank("cas", [[("a", "b", 1), ("a", "b", 2)]])
    run = simulate(one.programs, FaultPlan([Fault("store.cas", 1, "crash after")]))
    assert one.balances(run.outcome) == {"a": 7, "b": 2}
    assert [push.value for push in run.pushes] == [[1, 2, DONE]]
