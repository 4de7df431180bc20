"""The transfer as a chain of lock-free handlers: nothing is lost at any moment, whoever dies, stalls or is late."""

import pytest

from exactly_once import Fault, FaultPlan, prove, simulate
from exactly_once.handlers import Chain

ONE_ORDER = [[("a", "b", 7)]]
TWO_ORDERS = [[("a", "b", 7), ("a", "b", 5)]]
INSUFFICIENT = "insufficient funds"
KINDS = ("pauses", "lost_requests", "lost_replies", "duplicates", "late_requests")


def left(chain, run):
    """Return (result of a run in the form of `Chain.expected`, amount still under way)."""
    return (chain.balances(run.outcome), chain.refusals(run.outcome)), chain.under_way(run.outcome)


def test_orders_take_effect_or_are_refused():
    chain = Chain()
    assert left(chain, simulate(chain.programs)) == (({"a": 3, "b": 7}, [[2, INSUFFICIENT]]), 0)
    assert chain.expected == ({"a": 3, "b": 7}, [[2, INSUFFICIENT]])


def test_the_deposit_waits_only_for_its_input():
    chain = Chain(ONE_ORDER, twins=2)
    proof = prove(chain.programs, invariant=chain.as_ordered, crashes=0)
    assert (proof.ok, proof.lock_free, proof.awaits_input) == (True, True, True), str(proof)


def test_several_sources_pay_into_one_account():
    chain = Chain([[("a", "c", 7), ("a", "c", 4)], [("b", "c", 3)]], {"a": 10, "b": 2, "c": 1, "idle": 5}, twins=1)
    expected = {"a": 3, "b": 2, "c": 8, "idle": 5}, [[1, INSUFFICIENT], [2, INSUFFICIENT]]
    assert left(chain, simulate(chain.programs)) == (expected, 0)
    assert chain.expected == expected


@pytest.mark.parametrize(
    ("orders", "twins", "bounds"),
    [
        (TWO_ORDERS, 1, {"crashes": 2}),
        *((TWO_ORDERS, 1, {"crashes": 0, kind: 1}) for kind in KINDS),
        (ONE_ORDER, 2, {"crashes": 1}),
        (ONE_ORDER, 2, {"crashes": 0, "lost_requests": 1}),
        (ONE_ORDER, 2, {"crashes": 0, "lost_replies": 1}),
    ],
    ids=str,
)
@pytest.mark.some(day=2, ci=6)
def test_no_schedule_loses_doubles_or_overdraws(orders, twins, bounds):
    chain = Chain(orders, twins=twins)
    proof = prove(chain.programs, invariant=chain.always, **bounds)
    assert proof.ok, str(proof)


def test_the_same_orders_in_two_bare_halves_lose_what_was_between_them():
    halves = Chain(ONE_ORDER).halves
    proof = prove(halves.programs, invariant=halves.total_in_the_end, crashes=1)
    assert "the accounts hold 3 in all" in proof.counterexample.sentence


def test_under_the_same_kills_the_halves_lose_and_the_chain_does_not():
    orders = [[(account, "d", 2 + order) for order in range(4)] for account in "abc"]
    accounts = {"a": 99, "b": 99, "c": 99, "d": 0}
    chain = Chain(orders, accounts, twins=1)
    plan = FaultPlan([Fault("store.cas", 2, "crash after", node=mover) for mover in (1, 2, 3)])
    halves, whole = simulate(chain.halves.programs, plan), simulate(chain.programs, plan)
    assert chain.total - sum(chain.halves.balances(halves.outcome).values()) == 3 * 3
    assert len(whole.trace.deaths()) == len(halves.trace.deaths()) == 3
    assert left(chain, whole) == (chain.expected, 0)
