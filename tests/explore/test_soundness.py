"""Merging loses nothing: the outcomes with it are those without, and those of plain brute force in real stores."""

import pytest

from exactly_once import Job, prove
from exactly_once.explore import Bounds, Case, Limits, Prover, VersionAbstraction
from exactly_once.handlers import ORDERS, at_least_once, at_most_once, handler_in_order
from exactly_once.lockfree import flawed, hourly_means
from exactly_once.node import Node
from tests.explore.searching import by_brute_force, cheapest, outcomes, proved_in_any_order
from tests.explore.traps import FALSE_PROOFS, RENEWS, TRAPS, trap, written

LOCK_FREE = {
    "hourly_means": hourly_means,
    **{
        name: getattr(flawed, name)
        for name in ("without_preparing", "plain_push", "not_idempotent", "positions_apart", "compared_by_value")
    },
}
LIBRARY = {
    "at_least_once": at_least_once,
    "at_most_once": at_most_once,
    **{",".join(order): handler_in_order(order) for order in ORDERS},
}
FAULTS = ({"crashes": 1}, {"lost_replies": 1}, {"lost_requests": 1}, {"duplicates": 1}, {"pauses": 1})


@pytest.mark.some(day=2, ci=4)
@pytest.mark.parametrize("name", TRAPS)
def test_traps_with_one_fault(name):
    for fault in FAULTS:
        merged, _ = outcomes(trap(name), True, **fault)
        plain, _ = outcomes(trap(name), False, **fault)
        assert merged == plain
        if "pauses" not in fault:
            assert merged == by_brute_force(trap(name), **fault)


@pytest.mark.parametrize("name", TRAPS)
def test_traps_with_two_nodes(name):
    merged, fewer = outcomes(trap(name), True, nodes=2, crashes=0)
    plain, more = outcomes(trap(name), False, nodes=2, crashes=0)
    assert merged == plain
    assert fewer <= more


@pytest.mark.some(day=1, ci=2)
@pytest.mark.parametrize("name", FALSE_PROOFS)
def test_what_a_handler_does_with_what_a_shortcut_leaves_out_is_seen(name):
    proof = proved_in_any_order(written(name, FALSE_PROOFS[name]), lambda view: not view.outputs, nodes=2)
    assert (proof.headline, proof.counterexample.kind) == ("Broken", "invariant")


def saves_twice(node):
    node.positions.save(node.start)
    node.positions.save(node.start)


def test_a_rule_that_asks_for_versions_is_told_them():
    assert not proved_in_any_order(saves_twice, lambda view: view.version("engine", "positions") < 2).ok
    renews = written("renews", RENEWS.format(hides=None, used=False))
    rule = lambda view: view.version("engine", "register.lease") < 100  # noqa: E731
    assert proved_in_any_order(renews, rule, nodes=2).counterexample.kind == "invariant"


@pytest.mark.parametrize(
    ("hides", "kinds", "alike"), [(None, "ss", True), ("bytearray(1)", "ss", False), (None, "slss", False)]
)
def test_states_with_a_version_that_nobody_can_see_are_kept_apart(hides, kinds, alike):
    """It may be held by an incarnation whose place cannot be seen, or by a request that is late."""
    handler = written("renews", RENEWS.format(hides=hides, used=False))
    case = Case.within([handler], Job(items=1), Bounds(2, 1, 0, late_requests=1), invariant=lambda view: True)
    proves = Prover(case, Limits(1_000, 1_000), symmetric=False, merge=True)
    search, seen = proves.search(), []
    search.transitions.abstraction = VersionAbstraction(proves.automaton)
    state = search.start
    for kind in kinds + "ss":  # the first node goes round, and the version of its register grows
        state = next(after for actor, one, after in search.enabled(state) if (actor, one.kind) == (0, kind))
        seen.append(state)
    proves.close()
    assert (seen[-1] == seen[-3]) == alike


@pytest.mark.parametrize("where", ["registers", "store('s')"])
def test_steps_that_end_at_a_version_do_not_go_on_for_ever(where):
    source = f"""
def handler(node):
    cells, version = node.{where}, 0
    while version < 100:
        version, _ = cells.read("x")
        cells.cas("x", version, 1)
"""
    proof = prove(written("counts", source), items=1, crashes=0, invariant=lambda view: True)
    assert (proof.ok, proof.states) == (True, 203), str(proof)


def test_a_node_shows_nothing_that_no_key_has():
    shown = {name for name, one in vars(Node).items() if isinstance(one, property)}
    assert shown == {"start", "source", "number", "nodes"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["for_loop_over_equal_items", "a_global", "shared_or_equal", "cache", "closure"])
def test_traps_by_brute_force(name):
    assert outcomes(trap(name), True, nodes=2)[0] == by_brute_force(trap(name), nodes=2)
    assert outcomes(trap(name), True, pauses=1)[0] == by_brute_force(trap(name), pauses=1)


@pytest.mark.parametrize("name", LIBRARY)
@pytest.mark.some(day=8, ci=16)
def test_handlers_of_the_library(name):
    for bounds in ({"items": 2, "crashes": 2}, {"items": 2, "pauses": 1}, {"lost_replies": 1, "lost_requests": 1}):
        assert outcomes(LIBRARY[name], True, **bounds)[0] == outcomes(LIBRARY[name], False, **bounds)[0]


@pytest.mark.parametrize("name", LOCK_FREE)
def test_lock_free_handlers_of_the_library(name):
    for bounds in ({"items": 2, "crashes": 1}, {"lost_replies": 1}, {"lost_requests": 1}):
        assert outcomes(LOCK_FREE[name], True, **bounds)[0] == outcomes(LOCK_FREE[name], False, **bounds)[0]


@pytest.mark.parametrize("name", ["at_least_once", "at_most_once", "hourly_means", "plain_push"])
def test_handlers_of_the_library_with_two_nodes(name):
    handler = {**LIBRARY, **LOCK_FREE}[name]
    merged, fewer = outcomes(handler, True, nodes=2)
    plain, more = outcomes(handler, False, nodes=2)
    assert merged == plain
    assert fewer < more


@pytest.mark.parametrize("name", ["at_least_once", "at_most_once", "state,output,positions,counter"])
@pytest.mark.some(day=1, ci=2)
def test_one_crash_by_brute_force(name):
    assert outcomes(LIBRARY[name], True, items=2, crashes=1)[0] == by_brute_force(LIBRARY[name], items=2, crashes=1)


@pytest.mark.parametrize("name", ["at_least_once", "plain_push", "without_preparing"])
def test_the_simplest_schedule_is_as_simple_without_merging(name):
    handler, bounds = {**LIBRARY, **LOCK_FREE}[name], {"nodes": 2, "crashes": 1}
    found, _ = outcomes(handler, True, **bounds)
    assert len(found) > 1
    for outcome in found:
        simplest = cheapest(handler, True, {outcome}, **bounds)
        assert simplest == cheapest(handler, False, {outcome}, **bounds)
        assert simplest is not None


ROADS = {"start": ["left", "right"], "left": ["up", "down"], "right": ["back", "on"], "back": ["up", "down"]}


def test_two_lives_that_are_offered_different_things_are_told_apart():
    """While it waits for a choice, nothing but the options says where this handler is: its variable is dead."""

    def walker(node):
        place = "start"
        while place in ROADS:
            place = node.choose(ROADS[place])
        node.output.push(place)

    proof, plain = (prove(walker, items=1, crashes=0, merge=merge) for merge in (True, False))
    assert (proof.ok, plain.ok) == (True, True), f"{proof}\n{plain}"
