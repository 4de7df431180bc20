"""The lock-free handlers under every schedule: proved where they are right, and broken where a part is left out."""

import pytest

from exactly_once import prove
from exactly_once.explore import replay
from exactly_once.lockfree import flawed, hourly_means, stateless

FAULTS = {"crashes": 1, "lost_replies": 1, "lost_requests": 1, "duplicates": 1}


def always_seven(items):
    return 7


@pytest.mark.parametrize(
    "bounds",
    [
        {"nodes": 1, "items": 3, **FAULTS, "pauses": 1},
        {"nodes": 2, "items": 3, "crashes": 1},
        {"nodes": 2, "items": 2, **FAULTS},
        {"nodes": 2, "items": 2, "crashes": 1, "pauses": 1},
        {"nodes": 2, "items": 3, "crashes": 2, "lost_replies": 1},
        {"nodes": 3, "items": 2, "crashes": 1},
    ],
    ids=str,
)
@pytest.mark.some(day=3)
def test_the_stateless_handler_is_proved(bounds):
    proof = prove(hourly_means, **bounds)
    assert proof.ok, str(proof)  # which also says that no node ever waits for another
    assert not proof.warnings


def test_equal_values_for_all_inputs_are_proved_as_well():
    assert prove(stateless(always_seven), nodes=2, items=3, crashes=1, lost_replies=1).ok


def test_positions_in_a_register_of_their_own_are_proved_with_versions():
    assert prove(flawed.positions_apart, nodes=2, items=2, crashes=1, lost_replies=1).ok


def test_with_and_without_merging_of_states_the_proof_is_the_same():
    bounds = {"nodes": 2, "items": 1, "crashes": 1}
    merged, plain = prove(hourly_means, **bounds), prove(hourly_means, **bounds, merge=False)
    assert merged.ok
    assert plain.ok
    assert merged.states < plain.states / 3


@pytest.mark.parametrize("handler", [flawed.without_preparing, flawed.plain_push, flawed.not_idempotent])
@pytest.mark.parametrize(
    "bounds", [{"nodes": 2, "crashes": 0}, {"crashes": 1}, {"crashes": 0, "lost_replies": 1}], ids=str
)
def test_without_one_of_its_parts_one_crash_or_lost_reply_or_second_node_breaks_it(handler, bounds):
    proof = prove(handler, items=1, **bounds)
    assert not proof.ok
    assert proof.counterexample.sentence.startswith(
        "Not exactly once: the average of hour 1 is in the output more than once."
    )
    run = replay(proof.counterexample.token, handler).run
    assert run.outcome == proof.counterexample.run.outcome
    assert len(run.outcome.outputs) == 2


def test_compared_by_value_it_stands_every_fault_alone_and_falls_to_a_second_node():
    assert prove(flawed.compared_by_value, items=2, **FAULTS).ok
    assert prove(flawed.compared_by_value, nodes=2, items=1, crashes=0).ok, (
        "the machine has not come back to PREPARING yet"
    )
    proof = prove(flawed.compared_by_value, nodes=2, items=2, crashes=0)
    assert "the average of hour 2 is in the output more than once" in proof.counterexample.sentence
    zombie = prove(flawed.compared_by_value, items=2, crashes=0, pauses=1)
    assert "in the output more than once" in zombie.counterexample.sentence, (
        "a sleeper that wakes up is a second node"
    )
