"""Lamport's mutual exclusion: proved for two and three nodes, and broken by one acknowledgement too few."""

import pytest

from exactly_once import prove
from exactly_once.clocks import mutual_exclusion
from exactly_once.errors import BadInput
from exactly_once.explore import replay
from exactly_once.handlers import in_order_of_requests, one_at_a_time
from tests.explore.searching import outcomes


def proved(program, nodes, invariant=in_order_of_requests, **bounds):
    return prove(program, nodes=nodes, items=1, **{"crashes": 0, **bounds}, invariant=invariant)


@pytest.mark.parametrize(("nodes", "rounds"), [(1, 2), (2, 1), (2, 3), (3, 1)])
def test_no_two_are_inside_and_they_enter_in_the_order_of_their_requests(nodes, rounds):
    proof = proved(mutual_exclusion(rounds), nodes)
    assert proof.ok, str(proof)
    assert proof.runs >= 1


def test_one_that_stops_holds_up_all_others():
    proof = proved(mutual_exclusion(), 2)
    assert (proof.ok, proof.lock_free) == (True, False)
    assert "not lock-free" in str(proof)
    assert proof.liveness_violation.kind == "blocked"
    assert proof.liveness_violation.explanation[-1] == "Node 1: waits to receive a message."
    demanded = proved(mutual_exclusion(), 2, lock_free=True)
    assert (demanded.ok, demanded.counterexample.kind) == (False, "blocked")


@pytest.mark.parametrize(
    ("nodes", "enough", "invariant"),
    [
        (2, 0, one_at_a_time),
        (2, 0, in_order_of_requests),
        (3, 0, in_order_of_requests),
        (3, 1, in_order_of_requests),
        pytest.param(3, 0, one_at_a_time, marks=pytest.mark.slow),
        pytest.param(3, 1, one_at_a_time, marks=pytest.mark.slow),
    ],
)
def test_with_an_acknowledgement_too_few_two_are_inside_at_once(nodes, enough, invariant):
    program = mutual_exclusion(1, enough)
    proof = proved(program, nodes, invariant)
    assert proof.counterexample.kind == "invariant"
    wrong = "at once" if invariant is one_at_a_time else "comes before its own"
    assert wrong in proof.counterexample.sentence
    assert replay(proof.counterexample.token, program).run.outcome == proof.counterexample.run.outcome


@pytest.mark.parametrize("bounds", [{}, {"crashes": 1}, {"lost_requests": 1}], ids=str)
@pytest.mark.parametrize("enough", [None, 0])
def test_merging_loses_no_outcome(bounds, enough):
    merged, fewer = outcomes(mutual_exclusion(1, enough), True, nodes=2, **bounds)
    plain, more = outcomes(mutual_exclusion(1, enough), False, nodes=2, **bounds)
    assert merged == plain
    assert fewer <= more


def test_it_stands_no_crash():
    proof = proved(mutual_exclusion(), 2, crashes=1)
    assert not proof.ok


@pytest.mark.parametrize("wrong", [{"rounds": 0}, {"rounds": "2"}, {"acknowledgements": -1}])
def test_numbers_that_make_no_sense(wrong):
    with pytest.raises(BadInput):
        mutual_exclusion(**wrong)


def test_requests_that_are_overtaken_let_two_in_at_once():
    fresh = proved(mutual_exclusion(overtaking=True), 3, one_at_a_time)
    assert fresh.ok, "with fresh clocks, and one request each, nothing goes wrong yet"
    program = mutual_exclusion(overtaking=True, clocks=(0, 3))
    ahead = proved(program, 3, one_at_a_time)
    assert "nodes 1 and 2 are in the critical section at once" in ahead.counterexample.sentence
    assert replay(ahead.counterexample.token, program).run.outcome == ahead.counterexample.run.outcome
    assert proved(mutual_exclusion(clocks=(0, 3)), 2).ok, "where messages keep their order, clocks may differ"
