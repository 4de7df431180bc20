"""Which parts can be damaged: those that single faults, simulated at every place, damage; each by its own."""

from dataclasses import replace

import pytest

from exactly_once.explore import prove, replay
from exactly_once.explore.parts import PARTS, damaged_parts, prove_parts
from exactly_once.faults import SURE, Fault, FaultPlan
from exactly_once.handlers import STRATEGIES, at_least_once, idempotent_output, offset_in_sink, two_phase
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.simulate.places import places
from exactly_once.verdict import ideal_outcomes

SMALL = Job(3, 2, 2)
KINDS = {"crash": "crashes", "lost request": "lost_requests", "lost reply": "lost_replies"}


def proved(handler, kind, **more):
    return prove_parts(handler, SMALL, **{"crashes": 0, kind: 1}, **more)


def standings(found):
    return {part: found.standing(part) for part in PARTS}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["at_least_once", "at_most_once", "idempotent_output", "two_phase"])
def test_it_says_what_every_single_fault_at_every_place_says(name, kind):
    handler = STRATEGIES[name]
    right = [ideal.outcome for ideal in ideal_outcomes(handler, SMALL)]
    damaged, struck = set(), 0
    for place in places(handler, SMALL)[kind]:
        if place.at in SURE and not place.kind.startswith("crash"):
            continue
        run = simulate(handler, FaultPlan((Fault(place.at, place.item, place.kind),)), SMALL)
        damaged |= set(damaged_parts(run.outcome, right))
        struck += 1
    assert struck > 15
    assert standings(proved(handler, KINDS[kind])) == {
        part: "damaged" if part in damaged else "right" for part in PARTS
    }


def test_each_damaged_part_has_a_schedule_of_its_own_that_damages_it():
    found = proved(at_least_once, "crashes")
    assert standings(found) == {"output": "damaged", "state": "damaged", "positions": "right", "counter": "damaged"}
    right = [ideal.outcome for ideal in ideal_outcomes(at_least_once, SMALL)]
    first = found.first.counterexample
    assert damaged_parts(first.run.outcome, right) == ["output"], "hour 1 is not counted, and a crash at C doubles it"
    for part in found.damaged:
        again = replay(found.of[part].counterexample.token, at_least_once)
        assert part in damaged_parts(again.run.outcome, right)
    assert found.of["counter"] is not found.of["state"]
    assert found.of["positions"].exhausted
    assert found.states == found.first.states + sum(found.of[part].states for part in PARTS if part != "output")


def test_what_is_late_damages_more_than_what_is_lost():
    assert proved(idempotent_output, "lost_requests").damaged == ("counter",)
    assert set(proved(idempotent_output, "late_requests").damaged) == {"state", "positions", "counter"}


@pytest.mark.parametrize("handler", [two_phase, offset_in_sink])
@pytest.mark.parametrize("kind", ["crashes", "duplicates", "late_requests"])
def test_one_proof_covers_all_parts_where_nothing_is_damaged(handler, kind):
    found = proved(handler, kind)
    assert found.first.ok
    assert set(map(id, found.of.values())) == {id(found.first)}
    assert set(standings(found).values()) == {"right"}


def test_what_was_not_explored_to_the_end_is_not_known():
    found = proved(two_phase, "crashes", state_limit=20)
    assert set(standings(found).values()) == {"unknown"}
    found = proved(at_least_once, "crashes", state_limit=60)
    assert standings(found)["output"] == "damaged"
    assert standings(found)["positions"] == "unknown"


def test_a_deadlock_damages_no_part_and_the_parts_are_asked_for_all_the_same():
    asked = []

    def prover(handler, **options):
        asked.append(options.get("invariant"))
        proof = prove(handler, **options)
        if len(asked) > 1:
            return proof
        return replace(proof, counterexample=replace(proof.counterexample, kind="deadlock"))

    found = proved(at_least_once, "duplicates", prover=prover)
    assert asked[0] is None
    assert tuple(asked[1].parts) == tuple(PARTS)
    assert standings(found) == {"output": "damaged", "state": "right", "positions": "right", "counter": "damaged"}


def test_what_is_right_may_be_said_by_a_reference():
    def nothing(node):
        positions = node.positions.load()
        while node.running():
            _, positions = node.read(positions)
        node.positions.save(positions)

    found = prove_parts(nothing, SMALL, reference=at_least_once, crashes=0)
    assert standings(found) == {"output": "damaged", "state": "damaged", "positions": "right", "counter": "damaged"}
