"""The lock-free handler: exactly once with one node hurt at any step, and with others in between at any step."""

import pytest

from exactly_once.lockfree import flawed, hourly_means, stateless
from exactly_once.pipeline import Job
from tests.lockfree.nodes import KINDS, THREE, TWO, Nodes, alone, at_random, in_between, right

RIGHT = [hourly_means, flawed.positions_apart]


def always_seven(items):
    return 7


@pytest.mark.parametrize("handler", [*RIGHT, stateless(always_seven)])
@pytest.mark.parametrize("life", [1, 2])
def test_one_node_hurt_at_any_step_is_exactly_once(handler, life):
    wanted, kinds = right(handler, TWO), set()
    for nodes in alone(handler, TWO, life):
        assert nodes.outcome in wanted, nodes.struck
        kinds.add(nodes.struck[-1][2:])
    steps = {step for step, _ in kinds}
    assert steps == {"register.read", "register.cas", "input.read"}
    assert kinds == {(step, kind) for step in steps for kind in KINDS}, "each kind struck each step"


@pytest.mark.slow
@pytest.mark.parametrize("handler", [*RIGHT, stateless(always_seven)])
def test_two_nodes_with_two_stalls_are_exactly_once(handler):
    wanted, count = right(handler, TWO), 0
    for nodes in in_between(handler, TWO):
        assert nodes.outcome in wanted
        count += 1
    assert count > 250


@pytest.mark.some(day=1, ci=2)
@pytest.mark.parametrize("handler", [*RIGHT, stateless(always_seven)])
def test_two_and_three_nodes_at_random_with_faults_are_exactly_once(handler):
    wanted, struck = right(handler, THREE), 0
    for seed in range(150):
        nodes = at_random([handler] * (2 + seed % 2), THREE, seed)
        assert nodes.outcome in wanted, seed
        struck += len(nodes.struck)
    assert struck > 100, "faults did strike"


def test_nodes_that_stop_for_good_hold_up_nobody():
    wanted = right(hourly_means, TWO)
    for stop in range(1, Nodes(hourly_means, TWO).steps + 1):
        turns = iter([0] * stop)
        nodes = Nodes(hourly_means, TWO, 2, schedule=lambda left, turns=turns: next(turns, 1 if 1 in left else None))
        assert nodes.outcome in wanted, f"one node stopped for good after {stop} steps"


def test_a_node_that_gets_every_other_reply_needs_one_life():
    nodes = Nodes(hourly_means, THREE, hurts={(1, step): "lost reply" for step in range(1, 40, 2)})
    assert nodes.outcome in right(hourly_means, THREE)
    assert len(nodes.struck) > 10
    assert len(nodes.lives) == 1, "an unknown outcome costs no incarnation"


def test_readings_must_be_the_same_for_whoever_reads_them():
    job = Job(items=1, arrival="as it comes")
    wanted = right(hourly_means, job)
    assert len(wanted) == 2, "either stream may come first"
    assert Nodes(hourly_means, job).outcome in wanted
    assert any(nodes.outcome not in wanted for nodes in in_between(hourly_means, job)), (
        "the two read different streams"
    )


DAMAGE = {
    # handler: (kinds of fault that harm it alone, whether a second node harms it)
    flawed.without_preparing: ({"crash after", "crash before", "lost request", "lost reply"}, True),
    flawed.plain_push: ({"crash after", "crash before", "lost request", "lost reply"}, True),
    flawed.not_idempotent: ({"crash after", "crash before", "lost request", "lost reply"}, True),
    flawed.compared_by_value: (set(), True),
}


@pytest.mark.slow
@pytest.mark.parametrize("handler", DAMAGE, ids=lambda handler: handler.__name__)
def test_without_one_of_its_parts_it_is_right_only_while_nothing_happens(handler):
    """Registers, by which nodes agree, are each handler's own way; so what is compared is all but these."""
    kinds, with_two = DAMAGE[handler]
    wanted = {outcome.but_registers() for outcome in right(hourly_means, TWO)}
    assert {outcome.but_registers() for outcome in right(handler, TWO)} == wanted
    harmed = [nodes for nodes in alone(handler, TWO) if nodes.outcome.but_registers() not in wanted]
    assert {nodes.struck[0][3] for nodes in harmed} == kinds
    twice = [nodes for nodes in in_between(handler, TWO) if nodes.outcome.but_registers() not in wanted]
    assert bool(twice) == with_two
    for nodes in harmed + twice:
        assert len(nodes.outcome.outputs) > 2, "the damage is a mean that is there twice"
        assert set(nodes.outcome.outputs) == {text for outcome in wanted for text in outcome.outputs}
