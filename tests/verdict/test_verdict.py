"""The verdict: it agrees with a separate prediction, and it names damage exactly when there is some."""

import itertools
import random

import pytest

from exactly_once import Job, judge, simulate
from exactly_once.faults import KILLS, KINDS, POINTS, STEPS, SURE, Fault, FaultPlan
from exactly_once.handlers import ORDERS, handler_in_order, idempotent_output
from exactly_once.verdict import IdealFailed, ideal_outcomes
from tests.node.conformance_handlers import writer
from tests.stores import model

HOURS = [[reading.value for reading in hour] for hour in zip(*Job(items=6).inputs().values(), strict=True)]
POSITIONS_FIRST = ("positions", "state", "output", "counter")


def found(verdict):
    """Return a verdict in the words of the prediction."""
    told = verdict.json()
    for ours, theirs in (("doubled", "doubled_inputs"), ("lacking", "lacking_inputs")):
        told[ours] = sorted({hour for hour, _ in told[theirs]})
    return {name: told[name] for name in model.predict(POSITIONS_FIRST, "A", 1, HOURS)}


@pytest.mark.parametrize("order", ORDERS, ids=",".join)
@pytest.mark.some(day=6, ci=12)
def test_verdict_is_as_predicted_for_every_order_point_item_and_kill(order):
    handler, ideals = handler_in_order(order), None
    for point, item, kill in itertools.product(POINTS, (1, 3, 6), KILLS):
        run = simulate(handler, FaultPlan.crash(point, item, kill=kill))
        ideals = ideals or ideal_outcomes(handler, run.job)
        assert found(judge(run, handler, ideals)) == model.predict(order, point, item, HOURS), (point, item, kill)


@pytest.mark.parametrize("order", ORDERS, ids=",".join)
@pytest.mark.parametrize(("duration", "threshold"), [(3, 4), (24, 0), (1, 1)])
@pytest.mark.some(day=12, ci=36)
def test_verdict_is_as_predicted_with_other_windows_and_thresholds(order, duration, threshold):
    handler, job = handler_in_order(order), Job(duration=duration, threshold=threshold)
    ideals = ideal_outcomes(handler, job)
    for point in POINTS:
        verdict = judge(simulate(handler, FaultPlan.crash(point, 4), job), handler, ideals)
        assert found(verdict) == model.predict(order, point, 4, HOURS, duration, threshold), point


OTHERS = "store.", "log.", "transaction.", "coordinator.", "engine.", "queue.", "database.", "row."
OF_OTHER_HANDLERS = tuple(step for step in STEPS if step.startswith(OTHERS) and step != "database.increment")


def random_plan(chance):
    """Return a plan of one to three faults."""
    faults = []
    for _ in range(chance.randint(1, 3)):
        item = chance.choice([None, 1, 2, 3])
        if chance.random() < 0.6:
            faults.append(Fault(chance.choice(POINTS), item, lives=chance.choice([None, (1, 2)])))
        else:
            step = chance.choice(
                [step for step in STEPS if step not in SURE and not step.startswith(OF_OTHER_HANDLERS)]
            )
            faults.append(
                Fault(step, item, chance.choice([kind for kind in KINDS if kind not in ("crash", "crash-stop")]))
            )
    return FaultPlan(tuple(faults))


IDEALS = {}


def judged(handler, plan, job, seed):
    """Return the verdict of a random run; what is right is computed once for each handler and job."""
    if (handler, job) not in IDEALS:
        IDEALS[handler, job] = ideal_outcomes(handler, job)
    return judge(simulate(handler, plan, job, seed), handler, IDEALS[handler, job])


RANDOM = [handler_in_order(order) for order in (ORDERS[0], POSITIONS_FIRST, ORDERS[7], ORDERS[14])] + [writer(1)]


@pytest.mark.parametrize("arrival", ["together", "as it comes"])
@pytest.mark.some(day=1, ci=1)
def test_consistent_exactly_when_no_damage_is_named(arrival):
    chance, seen = random.Random(arrival), []
    for seed in range(150):
        plan, handler = random_plan(chance), chance.choice(RANDOM)
        verdict = judged(handler, plan, Job(items=3, arrival=arrival, duration=2, threshold=2), seed)
        told = verdict.json()
        named = any(told[name] for name in ("duplicated", "missing", "wrong", "disordered"))
        named = named or told["counter"] != told["expected_counter"] or verdict.damage.state_differs
        named = named or verdict.damage.positions_differ
        assert verdict.consistent == (not named) == (not verdict.damage.any), plan.token
        said = "Exactly once:" in verdict.sentence, "Not exactly once:" in verdict.sentence
        assert said == (not named, named)
        seen.append(verdict.consistent)
    assert 20 < sum(seen) < 130, "both kinds were among the runs"


def test_equal_neighbours_are_told_apart():
    def constant(node):
        positions = node.positions.load()
        while node.running():
            _, positions = node.read(positions)
            node.output.push(50)
            node.crash_point("A")
            node.positions.save(positions)

    verdict = judge(simulate(constant, FaultPlan.crash("A", 4)), constant)
    assert (verdict.damage.duplicated, verdict.damage.wrong, verdict.consistent) == ((4,), (), False)


def disordered(node):
    """Push both hours at the end, the second life in the other order: each life as long as it lives."""
    later = node.state.load() == "another incarnation"
    node.state.save("another incarnation")
    node.crash_point("A")
    positions, readings = node.positions.load(), []
    while node.running():
        items, positions = node.read(positions)
        readings += items
    for hour in sorted({reading.hour for reading in readings}, reverse=later):
        node.output.push(hour)


def forgetful(node):
    """Save positions in the first life only."""
    later = node.state.load() == "another incarnation"
    node.state.save("another incarnation")
    node.crash_point("A")
    positions = node.positions.load()
    while node.running():
        _, positions = node.read(positions)
    if not later:
        node.positions.save(positions)


def test_another_order_of_the_outputs_is_damage():
    verdict = judge(simulate(disordered, FaultPlan.crash("A"), Job(items=2)), disordered)
    assert (verdict.damage.disordered, verdict.consistent) == (True, False)
    assert "in another order than any crash-free run gives" in verdict.sentence


def test_other_positions_are_damage():
    verdict = judge(simulate(forgetful, FaultPlan.crash("A"), Job(items=2)), forgetful)
    assert (verdict.damage.positions_differ, verdict.consistent) == (True, False)
    assert "the saved positions are others" in verdict.sentence


def test_choices_make_several_ideals_and_each_is_right():
    def chooser(node):
        positions = node.positions.load()
        while node.running():
            _, positions = node.read(positions)
            node.output.push(node.choose(["a", "b"]))
            node.positions.save(positions)

    job = Job(items=3)
    assert len(ideal_outcomes(chooser, job)) == 8
    verdicts = [judge(simulate(chooser, job=job, seed=seed), chooser) for seed in range(12)]
    assert all(verdict.consistent and not verdict.damage.any for verdict in verdicts)
    assert len({verdict.run.outcome for verdict in verdicts}) > 3


def test_a_handler_that_fails_without_faults_cannot_be_judged():
    def by_luck(node):
        positions = node.positions.load()
        if positions["seattle"] == 0:
            raise ValueError("the first incarnation always fails")

    with pytest.raises(IdealFailed, match="the first incarnation always fails"):
        ideal_outcomes(by_luck, Job())
    verdict = judge(simulate(by_luck), by_luck)
    assert (verdict.consistent, verdict.exactly_once) == (False, False)
    assert "The handler itself failed" in verdict.sentence


JOB = Job(items=4, duration=2, threshold=3)


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("hour", [2, 3])
def test_wherever_it_dies_the_output_is_right_and_only_the_counter_is_not(point, hour):
    verdict = judge(simulate(idempotent_output, FaultPlan.crash(point, hour), JOB), idempotent_output)
    damage = verdict.damage
    assert not damage.outputs
    assert not damage.state_differs
    assert damage.counter - damage.expected_counter == (point in "CD")
    assert verdict.consistent == (point not in "CD")
