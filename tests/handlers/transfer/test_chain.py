"""The transfer as a chain of lock-free handlers: nothing is lost at any moment, whoever dies, stalls or is late."""

import pytest

from exactly_once import prove, simulate
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
