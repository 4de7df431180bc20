"""The transfer as a chain of lock-free handlers: nothing is lost at any moment, whoever dies, stalls or is late."""

import random

import pytest

from exactly_once.errors import BadInput
from exactly_once.explore import prove
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers import Chain
from exactly_once.handlers.transfer import INSUFFICIENT
from exactly_once.handlers.transfer.chain import TWO_ORDERS, deposit, withdraw
from exactly_once.node.sent import Sent
from exactly_once.simulate import simulate

ONE_ORDER = [[("a", "b", 7)]]
KINDS = ("pauses", "lost_requests", "lost_replies", "duplicates", "late_requests")


def killed(orders, count, seed, **where):
    """Return a fault plan that kills whoever gets there first, at `count` of so many orders."""
    draw = random.Random(seed)
    return FaultPlan([
        Fault(draw.choice(("store.cas", "input.read")), order, draw.choice(("crash before", "crash after")), **where)
        for order in sorted(draw.sample(range(1, orders + 1), count))
    ])  # fmt: skip


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
        (ONE_ORDER, (1, 2), {"crashes": 0, "pauses": 1}),
        (TWO_ORDERS, (2, 1), {"crashes": 1}),
        (TWO_ORDERS, (1, 2), {"crashes": 1, "late_requests": 1}),
    ],
    ids=str,
)
def test_no_schedule_loses_doubles_or_overdraws(orders, twins, bounds):
    chain = Chain(orders, twins=twins)
    proof = prove(chain.programs, invariant=chain.always, **bounds)
    assert proof.ok, str(proof)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("orders", "twins", "bounds"),
    [
        (TWO_ORDERS, 2, {"crashes": 1}),
        (ONE_ORDER, 2, {"crashes": 0, "late_requests": 1}),
        (ONE_ORDER, (2, 1), {"crashes": 0, "pauses": 1}),
        (ONE_ORDER, 2, {"crashes": 2}),
    ],
    ids=str,
)
def test_nor_does_one_with_twins_on_both_sides(orders, twins, bounds):
    chain = Chain(orders, twins=twins)
    assert prove(chain.programs, invariant=chain.always, seconds=600, **bounds).ok


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


def test_twins_that_are_killed_again_and_again_leave_each_order_once():
    chain = Chain([[("a", "b", 1 + order % 9) for order in range(24)]], {"a": 99, "b": 0})
    for seed in range(5):
        run = simulate(chain.programs, killed(24, 12, seed), seed=seed)
        assert len(run.trace.deaths()) == 12
        assert left(chain, run) == (chain.expected, 0)


def overdraw(balance, orders):
    return balance - orders[0].key[2], [orders[0].key[2]]


def keep(balance, orders):
    return balance, [orders[0].key[2]]


def twice(balance, amounts):
    return balance + 2 * amounts[0], []


@pytest.mark.parametrize(
    ("rule", "functions", "said"),
    [
        ("none_below_zero", {"withdraw": overdraw}, "the account a is at -2"),
        ("total_always", {"withdraw": keep},
         "the accounts hold 10 and 7 is under way, and the chain began with 10"),
        ("total_always", {"deposit": twice}, "the accounts hold 17 and 0 is under way, and the chain began with 10"),
        ("as_ordered", {"withdraw": lambda balance, orders: (balance, [None, [orders[0].value, "no"]])},
         "the accounts hold {'a': 10, 'b': 0} and [[1, 'no'], [2, 'no']] were refused"),
    ],
)  # fmt: skip
def test_each_invariant_finds_the_function_that_breaks_it(rule, functions, said):
    chain = Chain(twins=1, **functions)
    proof = prove(chain.programs, invariant=getattr(chain, rule), crashes=0)
    assert said in proof.counterexample.sentence
    assert prove(chain.programs, invariant=chain.always, crashes=0).counterexample is not None


class Seen:
    """A view of cells, given as {(store, part): what it holds}."""

    done = False

    def __init__(self, cells):
        self.cells = cells

    def look(self, store, part, kind):
        return self.cells.get((store, part))


def test_an_amount_is_under_way_in_the_machine_or_in_a_cell_and_counts_once():
    sent = Sent("a", 1, [7])
    writing = ["WRITING", 3, {"orders1": 1}, [["transfers", sent]], 0, 0]
    cells = {("bank_a", "a"): writing}
    chain = Chain()
    assert chain.under_way(Seen(cells)) == 7
    assert chain.under_way(Seen(cells | {("queues", "transfers.0"): sent})) == 7
    doubled = cells | {("queues", f"transfers.{index}"): sent for index in (0, 1)}
    assert chain.total_always(Seen(doubled)) == "the accounts hold 3 and 14 is under way, and the chain began with 10"
    read = cells | {("queues", "transfers.0"): sent, ("bank_b", "b"): ["HANDLING", 7, {"transfers": 1}]}
    assert chain.under_way(Seen(read)) == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (([[("a", "b", 1)], [("b", "a", 1)]],), "one list for each account"),
        (([[("a", "b", 1), ("c", "b", 1)]], {"a": 1, "b": 1, "c": 1}), "one list for each account"),
        (([[("a", "b", 1)], [("b", "c", 1)]], {"a": 1, "b": 1, "c": 1}), "one list for each account"),
        (([[("a", "b", 1)], [("a", "b", 1)]],), "one list for each account"),
        (([[("a", "x", 1)]],), "name two of a, b"),
        (([],), "at least one"),
        ((ONE_ORDER, None, 0), "number of twins"),
        ((ONE_ORDER, None, (1, 2, 3)), "or two"),
    ],
)
def test_what_is_no_chain_is_refused(arguments, complaint):
    with pytest.raises(BadInput, match=complaint):
        Chain(*arguments)


def test_the_halves_are_pure_functions():
    order = type("Order", (), {"key": ("a", "b", 7), "value": 1})
    assert withdraw(10, [order]) == (3, [7])
    assert withdraw(6, [order]) == (6, [None, [1, INSUFFICIENT]])
    assert deposit(3, [7]) == (10, [])
