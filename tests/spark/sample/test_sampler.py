"""Random schedules, one by one: they are schedules, they find what is wrong, and a seed is a schedule for good."""

import random

import pytest

from exactly_once.errors import CourseError
from exactly_once.explore import prove, replay, tokens
from exactly_once.explore.bounds import SPENDS, Bounds
from exactly_once.handlers import ORDERS, at_least_once, handler_in_order
from exactly_once.handlers.logs.producer import PRODUCERS
from exactly_once.lockfree import hourly_means
from exactly_once.lockfree.flawed import compared_by_value, plain_push
from exactly_once.node import Numbers, Partition, Program
from exactly_once.node.pickling import pickle_handler
from exactly_once.pipeline import Job
from exactly_once.simulate.decision import Decision
from exactly_once.spark.sample import sampler
from exactly_once.spark.sample.sampler import Sampler, WorkUnit, sample_seeds
from exactly_once.verdict import judge


def unit(handler, seeds=(), invariant=None, **bounds):
    bounds = Bounds(**{"items": 2, **bounds})
    return WorkUnit(pickle_handler(handler, [handler], None, invariant), Job(items=bounds.items), bounds, seeds, [])


def walked(handler, count=300, **more):
    ((word, walks),) = sample_seeds([unit(handler, range(count), **more)])
    assert word == "schedules", walks
    return walks


@pytest.mark.parametrize("order", ORDERS[::5], ids="-".join)
def test_every_violation_replays_to_what_was_said_of_it(order):
    handler, kinds = handler_in_order(order), set()
    for one in walked(handler, 60, crashes=2):
        kinds.add(one.kind)
        if one.kind == "outcome":
            schedule = [Decision(*decision) for decision in one.schedule]
            run = replay(tokens.write([handler], Job(items=2), 1, schedule), handler).run
            verdict = judge(run, handler)
            assert not verdict.consistent
            assert "; ".join(verdict.damage.phrases()) == one.damage
    assert kinds == {"right", "outcome"}


def test_a_violation_is_found_where_one_is_proved_to_be_and_none_where_there_is_none():
    for handler in (compared_by_value, plain_push):
        assert not prove(handler, nodes=2, items=2, crashes=0).ok
        assert any(one.kind == "outcome" for one in walked(handler, nodes=2, crashes=0))
    assert {one.kind for one in walked(hourly_means, nodes=3, crashes=2, lost_replies=1, pauses=1)} == {"right"}


def test_programs_with_sources_and_partitions_of_their_own_are_sampled():
    program = Program(PRODUCERS["retry"], Numbers(3), Partition("readings"), "producer")

    def nothing_doubled(view):
        return len(set(view.outputs)) == len(view.outputs)

    def nothing_lost(view):
        return not view.done or set(view.outputs) >= {1, 2, 3}

    found = walked(program, 60, invariant=nothing_doubled, crashes=0, lost_replies=1)
    assert {one.kind for one in found} == {"right", "outcome"}
    wrong = next(one for one in found if one.kind == "outcome")
    schedule = [Decision(*decision) for decision in wrong.schedule]
    left = replay(tokens.write([program], Job(items=2), 1, schedule), program).run
    assert len(left.pushes) == 4, "a record was sent again, although the log had it"
    assert {one.kind for one in walked(program, 60, invariant=nothing_lost, crashes=1, lost_replies=1)} == {"right"}


def test_the_bounds_are_kept_and_used_up():
    limits = {"crashes": 2, "pauses": 1, "lost_replies": 1, "lost_requests": 1, "duplicates": 1}
    seen = {kind: set() for kind in limits}
    for one in walked(at_least_once, 1_000, **limits):
        for kind in limits:
            seen[kind].add(sum(SPENDS[letter] == kind for letter in one.faults))
    assert seen == {kind: set(range(most + 1)) for kind, most in limits.items()}


def test_a_seed_is_the_same_schedule_whatever_was_walked_before():
    bounds = {"nodes": 2, "crashes": 1, "pauses": 1}
    forward = walked(compared_by_value, 60, **bounds)
    ((_, backward),) = sample_seeds([unit(compared_by_value, range(59, -1, -1), **bounds)])
    assert [(one.seed, one.kind, one.schedule) for one in forward] == [
        (one.seed, one.kind, one.schedule) for one in reversed(backward)
    ]


def test_a_walker_that_has_learned_too_much_forgets_and_walks_on(monkeypatch):
    whole = walked(at_least_once, 40)
    monkeypatch.setattr(sampler, "MOST_STATES", 30)
    assert [(one.kind, one.schedule) for one in walked(at_least_once, 40)] == [
        (one.kind, one.schedule) for one in whole
    ]


def test_an_invariant_takes_the_place_of_the_outcomes():
    def rule(view):
        return "too many" if len(view.outputs) > 2 else None

    told = {one.sentence for one in walked(at_least_once, invariant=rule) if one.kind != "right"}
    assert told == {"too many"}


def test_what_the_handler_itself_did_wrong_is_told():
    def fails_in_its_second_life(node):
        version, _ = node.registers.read("lives")
        if version:
            raise ZeroDivisionError("again")
        node.registers.cas("lives", version, "one")
        node.output.push(1)

    kinds = {one.kind: one.sentence for one in walked(fails_in_its_second_life)}
    assert "ZeroDivisionError: again" in kinds["raised"]


def test_a_handler_that_is_not_deterministic_is_told_and_no_task_is_tried_again():
    def whim(node):
        node.output.push(random.random())
        node.state.save(1)

    ((word, why),) = sample_seeds([unit(whim, range(200))])
    assert word == "failed"
    assert "not deterministic" in why
    with pytest.raises(CourseError):
        Sampler(unit(lambda node: 1 / 0))
