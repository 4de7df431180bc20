"""Places in loops, blocks, generators and objects are in the key: nothing is lost, and nothing grows without end."""

import itertools

import pytest

from exactly_once import prove
from tests.explore import random_flow, waiting
from tests.explore.forms import FORMS
from tests.explore.held import HELD
from tests.explore.places import PLACES
from tests.explore.searching import by_brute_force, outcomes, searched
from tests.explore.traps import written
from tests.explore.values import VALUES

FAULTS = ({}, {"crashes": 1}, {"lost_replies": 1}, {"lost_requests": 1}, {"duplicates": 1}, {"pauses": 1})
BY_BRUTE_FORCE = ({}, {"lost_replies": 1}, {"crashes": 1})
# They take a step when brute force gives up an option.
TIDY_UP = ("a_generator_that_tidies_up", "finally_after_a_return", "named_two_loops_that_an_error_leaves")
# Each needs another part of the key.
NEEDED = (
    "for_over_a_range_with_a_retry",
    "a_dictionary_whose_keys_come_back",
    "a_generator_that_takes_steps",
    "a_list_made_by_a_map",
    "an_object_with_attributes",
    "an_attribute_of_a_class",
    "a_bare_raise",
)
# A fault drops what takes a step when it is dropped, which is refused.
FAULT_FREE = (
    "a_generator_that_a_traceback_keeps",
    "a_block_that_is_dropped",
    "named_two_loops_that_an_error_leaves",
    "held_by_an_iterator_during_else",
)


def place(name):
    return written(name, (PLACES | HELD | VALUES)[name])


@pytest.mark.some(day=3, ci=4)
@pytest.mark.parametrize("name", [*PLACES, *HELD, *VALUES])
# A generator that is closed by a fault is warned of.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_merging_loses_nothing(name):
    for fault in FAULTS[: 1 if name in FAULT_FREE else None]:
        merged, fewer = outcomes(place(name), True, **fault)
        plain, more = outcomes(place(name), False, **fault)
        assert merged == plain
        assert fewer <= more
        if fault in BY_BRUTE_FORCE and name not in TIDY_UP:
            assert merged == by_brute_force(place(name), **fault)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["nested_loops", "the_same_generator_twice", "objects_that_share", "pushes_by_a_map"]
)
def test_merging_loses_nothing_with_two_nodes(name):
    assert outcomes(place(name), True, nodes=2)[0] == by_brute_force(place(name), nodes=2)


@pytest.mark.parametrize("name", NEEDED)
def test_a_key_without_one_of_its_parts_would_lose_an_outcome(name):
    assert outcomes(place(name), True)[0] == outcomes(place(name), False)[0]


def test_one_program_in_several_forms_has_about_as_many_states():
    found = {}
    for form in FORMS:
        search, _ = searched(form, True, False, (), 2, nodes=2, crashes=1, lost_replies=2)
        assert search.exhausted
        found[form.__name__] = search.states
    assert max(found.values()) <= 3 * min(found.values()), found


def spins(node):
    """A lock made of cas, taken twice, in a `for`."""
    for _ in range(2):
        while True:
            version, held = node.registers.read("lock")
            if not held and node.registers.cas("lock", version, "mine"):
                break
        node.output.push("in")
        node.output.push("out")
        node.registers.cas("lock", version + 1, "")


def counts_its_attempts(node):
    """The same, and it counts how often it looked, for nobody."""
    looks = 0
    while True:
        looks += 1
        version, held = node.registers.read("lock")
        if not held and node.registers.cas("lock", version, "mine"):
            break
    node.output.push("in")
    node.output.push("out")
    node.registers.cas("lock", version + 1, "")


class Guarded:
    """An object whose end does something, so that nobody can see what a life does that holds one."""

    def __del__(self):
        """Do something that cannot be seen."""


def waits_in_hiding(node, wrong=False):
    """The same lock, and its place cannot be seen."""
    guarded = Guarded()
    while not wrong:
        version, held = node.registers.read("lock")
        if not held and node.registers.cas("lock", version, "mine"):
            break
    node.output.push("in")
    node.output.push("out")
    if not wrong:
        node.registers.cas("lock", version + 1, "")
    return guarded


def looks_before_it_goes_in(node):
    """Look whether the other is inside, and go in: both may have looked before; it waits in hiding."""
    guarded, mine, other = Guarded(), str(node.number), str(3 - node.number)
    for _ in range(2):
        while node.registers.read(other)[1]:
            pass
        version, _ = node.registers.read(mine)
        node.registers.cas(mine, version, 1)
        node.output.push("in")
        node.output.push("out")
        node.registers.cas(mine, version + 1, 0)
    return guarded


def one_at_a_time(view):
    inside = list(itertools.accumulate({"in": 1, "out": -1}[word] for word in view.outputs))
    return max(inside, default=0) <= 1


def test_a_wait_in_a_loop_is_no_end_of_states():
    proof = prove(spins, nodes=2, items=1, crashes=0, invariant=one_at_a_time)
    assert (proof.ok, proof.lock_free) == (True, False), str(proof)
    assert proof.states < 500


def test_a_wait_that_counts_its_attempts_is_told_from_an_endless_one():
    proof = prove(counts_its_attempts, nodes=2, items=1, crashes=0, invariant=one_at_a_time, state_limit=2_000)
    assert (proof.headline, proof.counterexample) == ("Not proved", None)
    assert "changes its variables, as a count of attempts does" in str(proof)


HANDLERS = {name: found for name, found in vars(waiting).items() if name.startswith("with_")}


@pytest.mark.parametrize("name", HANDLERS)
def test_a_wait_is_as_small_with_what_keeps_nothing(name):
    bounds = {"nodes": 2, "items": 1, "crashes": 0, "invariant": one_at_a_time, "state_limit": 1_000}
    plain, proof = prove(waiting.plainly, **bounds), prove(HANDLERS[name], **bounds)
    assert (plain.ok, plain.lock_free) == (proof.ok, proof.lock_free) == (True, False), str(proof)
    assert proof.states <= 2 * plain.states


def test_a_function_that_is_called_by_its_module_has_the_states_of_one_that_is_called_by_its_name():
    found = [
        prove(handler, nodes=2, items=1, crashes=0, invariant=lambda view: True, state_limit=1_000)
        for handler in (waiting.by_its_module, waiting.by_its_name)
    ]
    assert found[0].states == found[1].states
    assert {one.counterexample.kind for one in found} == {"endless"}


def test_what_waits_in_hiding_is_not_called_endless():
    proof = prove(waits_in_hiding, nodes=2, items=1, crashes=0, invariant=one_at_a_time, state_limit=3_000)
    assert (proof.headline, proof.counterexample) == ("Not proved", None)
    assert "cannot be seen (the class Guarded)" in str(proof)


@pytest.mark.not_by_day
def test_what_is_wrong_is_found_though_it_waits_in_hiding():
    proof = prove(looks_before_it_goes_in, nodes=2, items=1, crashes=0, invariant=one_at_a_time, state_limit=100_000)
    assert proof.counterexample.kind == "invariant"


@pytest.mark.some(day=5, ci=30)
@pytest.mark.parametrize("seed", range(2_000))
def test_merging_loses_nothing_of_a_random_program(seed):
    handler = written(f"random_{seed}", random_flow.source(seed))
    for fault in ({}, {"lost_replies": 1}):
        plain, found = searched(handler, False, limits=(1_500, 60), **fault)
        if plain.exhausted:  # else there are too many states
            assert searched(handler, True, limits=(1_500, 60), **fault)[1] == found
