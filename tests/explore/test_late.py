"""Merging loses no late request: the explorer, the plain search and brute force find the same."""

import contextlib

import pytest

from exactly_once import Job, OutcomeUnknown, prove
from exactly_once.adversary import look
from exactly_once.explore import Bounds, Case, replay
from exactly_once.simulate import ARRIVAL, LATE_REQUEST, Decision
from tests.explore.late import LATE, late
from tests.explore.searching import by_brute_force, outcomes

TWO = ("two at one lock", "a log that another polls")
MANY = [
    {"late_requests": 1, "crashes": 1},
    {"late_requests": 1, "duplicates": 1},
    {"late_requests": 2},
    {"late_requests": 1, "lost_replies": 1},
    {"late_requests": 1, "lost_requests": 1},
]


def nodes(name):
    """Return how many nodes a handler is for."""
    return 2 if name in TWO else 1


@pytest.mark.some(day=1, ci=2)
@pytest.mark.parametrize("name", LATE)
def test_one_late_request_by_brute_force(name):
    merged, fewer = outcomes(late(name), True, nodes=nodes(name), late_requests=1)
    plain, more = outcomes(late(name), False, nodes=nodes(name), late_requests=1)
    assert merged == plain == by_brute_force(late(name), nodes=nodes(name), late_requests=1)
    assert fewer <= more


@pytest.mark.parametrize("name", ["in flight", "a log that another polls"])
def test_one_late_request_loses_nothing(name):
    merged, plain = (outcomes(late(name), merge, nodes=nodes(name), late_requests=1)[0] for merge in (True, False))
    assert merged == plain


@pytest.mark.some(day=1, ci=2)
@pytest.mark.parametrize("name", [name for name in LATE if name not in TWO])
def test_late_requests_beside_other_faults(name):
    for bounds in MANY:
        assert outcomes(late(name), True, **bounds)[0] == outcomes(late(name), False, **bounds)[0], bounds


@pytest.mark.some(day=1, ci=2)
@pytest.mark.parametrize("name", ["append", "write", "a dead incarnation's", "lock", "transact"])
def test_late_requests_and_pauses(name):
    bounds = {"late_requests": 1, "pauses": 1}
    assert outcomes(late(name), True, **bounds)[0] == outcomes(late(name), False, **bounds)[0]


@pytest.mark.some(day=0, ci=1)
@pytest.mark.parametrize(
    "bounds", [{"late_requests": 2}, {"late_requests": 1, "crashes": 1}, {"late_requests": 1, "duplicates": 1}]
)
def test_late_requests_overtake_each_other_and_outlive_their_sender_by_brute_force(bounds):
    for name in ("append", "a dead incarnation's"):
        assert outcomes(late(name), True, **bounds)[0] == by_brute_force(late(name), **bounds)


def test_a_late_request_arrives_after_the_end():
    found, _ = outcomes(late("append"), True, late_requests=1)
    assert {outcome.outputs for outcome in found} == {("1", "2"), ("1", "1", "2"), ("1", "2", "1"), ("1", "2", "2")}


@pytest.mark.not_by_day
def test_replies_in_flight_tell_states_apart():
    for bounds in ({"late_requests": 1}, {"lost_replies": 1}, {"lost_requests": 1}, {"duplicates": 1}):
        merged, plain = (outcomes(late("in flight"), merge, **bounds)[0] for merge in (True, False))
        assert merged == plain == by_brute_force(late("in flight"), **bounds)


def test_a_counterexample_with_requests_in_flight_is_performed():
    def handler(node):
        node.log.send("p", [("k", 1)])
        node.log.send("p", [("k", 2)])
        node.log.acknowledgement()
        node.log.acknowledgement()
        node.output.push([record.value for record in node.log.fetch("p")])

    proof = prove(handler, items=1, crashes=0, late_requests=1)
    assert proof.counterexample is not None
    assert replay(proof.counterexample.token, handler).run.outcome == proof.counterexample.run.outcome


def test_a_late_request_that_only_reads_has_no_number_among_those_that_arrive():
    job, schedule = Job(items=1), [Decision(0, LATE_REQUEST), Decision(0, LATE_REQUEST), Decision(0, ARRIVAL, 0)]

    def reads_and_pushes(node):
        for step in (node.positions.load, lambda: node.output.push(1)):
            with contextlib.suppress(OutcomeUnknown):
                step()

    bounds = Bounds(items=1, crashes=0, late_requests=2)
    position = look(Case.within([reads_and_pushes], job, bounds), schedule[:2])
    assert schedule[2] in position.open
    assert look(Case.within([reads_and_pushes], job, bounds), schedule).replay.run.pushes
