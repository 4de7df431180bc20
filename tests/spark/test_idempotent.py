"""Numbered records on the cluster: the log after kills, losses and a broker's death is the predicted log."""

import random

import pytest

from exactly_once.delivery.numbered import (
    ARTICLE,
    COPIES,
    KAFKA,
    NEW_IDS,
    NO_RULE,
    SENDERS,
    draw_appends,
    predict_log,
    sender,
)
from exactly_once.errors import BadInput
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers.logs.idempotent import READINGS, numbering
from exactly_once.log.network.client import ACKNOWLEDGED
from exactly_once.simulate import simulate
from exactly_once.spark.brokers import MOMENTS, kill_the_leader
from exactly_once.spark.numbered import COLUMNS, numbered_table, numbers_on_cluster
from exactly_once.spark.replay import replay_on_cluster
from tests.explore.test_idempotent import explored, once
from tests.spark.run.killing import killed_at_random

pytestmark = pytest.mark.not_by_day


@pytest.mark.parametrize("name", SENDERS)
@pytest.mark.parametrize("kind", COPIES[KAFKA])
def test_what_is_counted_beforehand_is_what_one_process_does(name, kind):
    plan = FaultPlan([Fault("log.append", 2, kind)])
    assert [push.value for push in simulate(sender(name, 3), plan).pushes] == predict_log(name, plan, 3)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("no such rule", Fault("log.append", 2, "lost reply")),
        (KAFKA, Fault("log.append", 2, "late request")),
        (KAFKA, Fault("log.append", None, "lost reply")),
        (KAFKA, Fault("positions.save", 2, "lost reply")),
    ],
)
def test_what_cannot_be_counted_is_refused(name, fault):
    with pytest.raises(BadInput):
        predict_log(name, FaultPlan([fault]), 3)


def predict_from_requests(name, requests):
    """Return the numbers that the log holds once these (record's number, incarnation) have reached it in turn."""
    log, known = [], set()
    for number, life in requests:
        same = (number, life) if name == NEW_IDS else number  # by what a broker recognises it
        if name == NO_RULE or same not in known:
            log.append(number)
        known.add(same)
    return log


def requests_of(run):
    """Return (record's number, incarnation) of each append that reached the log, in their order."""
    return [
        (event.item, event.life)
        for event in run.trace
        if (event.process, event.kind, event.verb) == (f"log.{READINGS}", "receive", "produce")
    ]


def killed_until(kills, records, seed, most=3):
    """Kill all senders from outside, in run after run, until so many have died. Returns {sender: copies too many}."""
    rng, killed, copies = random.Random(seed), 0, dict.fromkeys(SENDERS, 0)
    while killed < kills:
        drawn = rng.randrange(10_000)
        plan = draw_appends(records, drawn, requests=5, replies=5, deaths=0)
        runs = killed_at_random([(sender(name, records), plan, None) for name in SENDERS], most, drawn)
        for name, run in zip(SENDERS, runs, strict=True):
            found = [push.value for push in run.pushes]
            assert run.error is None
            assert found == predict_from_requests(name, requests_of(run)), (name, drawn)
            assert set(found) == set(range(1, records + 1)), (name, drawn)
            assert found == sorted(found), (name, drawn)
            killed += len(run.trace.deaths())
            copies[name] += len(found) - records
    assert copies[ARTICLE] == copies[KAFKA] == 0
    return copies


@pytest.mark.cluster
@pytest.mark.timeout(180)
def test_kills_from_outside_at_any_moment_leave_what_the_rules_say(spark):
    copies = killed_until(8, records=60, seed=11, most=2)
    assert copies[NO_RULE] >= 5  # the lost replies alone


@pytest.mark.cluster
@pytest.mark.timeout(180)
def test_twelve_kills_at_steps_and_forty_losses_leave_what_was_predicted(spark):
    plan = draw_appends(records=60, seed=3, requests=5, replies=5, deaths=3)
    table = numbered_table(plan, 60, spark)
    assert tuple(table.columns) == COLUMNS
    assert list(table["processes killed"]) == [3] * len(SENDERS)
    assert list(table["in the log"]) == list(table["in the log, predicted"])
    assert list(table["doubled"]) == [5 + 2, 0, 0, 2]  # five replies, and two deaths after the append
    assert list(table["lost"]) == [0] * len(SENDERS)


@pytest.mark.cluster
@pytest.mark.timeout(180)
def test_the_explorers_counterexample_is_performed(spark):
    found = explored(numbering(keeps_id=False), "kafka", once, 2, crashes=1).counterexample
    run = replay_on_cluster(found.token, sender(NEW_IDS, 2), spark=spark)
    assert run.outcome == found.run.outcome
    assert [push.value for push in run.pushes][:2] == [1, 1]


@pytest.mark.cluster
@pytest.mark.timeout(180)
@pytest.mark.parametrize(("idempotent", "copies"), [(False, 2), (True, 1)])
def test_a_leader_that_dies_before_it_answers(spark, idempotent, copies):
    death = kill_the_leader("all", 20, at=8, moment="replicated", idempotent=idempotent, spark=spark)
    assert death.readable.count(8) == copies
    assert death.lost == death.missing == ()


@pytest.mark.cluster
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_two_hundred_kills_record_for_record(spark):
    rng, killed = random.Random(7), 0
    while killed < 200:
        seeds = [rng.randrange(10_000) for _ in SENDERS]
        plans = [
            (name, draw_appends(100, seed, requests=8, replies=8, deaths=8))
            for name, seed in zip(SENDERS, seeds, strict=True)
        ]
        for run in numbers_on_cluster(plans, 100, spark):
            assert run.found == run.predicted, (run.name, seeds)
            killed += run.deaths


@pytest.mark.cluster
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_two_hundred_kills_from_outside(spark):
    copies = killed_until(200, records=100, seed=13, most=5)
    assert copies[NO_RULE] > 0
    assert copies[NEW_IDS] > 0, "of so many kills, some fell between the append and the saved position"


@pytest.mark.cluster
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("idempotent", [False, True])
def test_leaders_that_die_at_any_record(spark, moment, idempotent):
    rng = random.Random(f"{moment} {idempotent}")
    for _ in range(10):
        at = rng.randint(1, 30)
        death = kill_the_leader("all", 30, at, moment, idempotent, spark)
        assert death.acknowledged == tuple(range(1, 31)), at
        assert death.lost == death.missing == (), at
        assert list(death.readable) == sorted(death.readable), at
        unsure = {one.number for one in death.attempts if one.what != ACKNOWLEDGED}
        assert set(death.doubled) <= (set() if idempotent else unsure), at
        if moment == "replicated":
            assert death.doubled == (() if idempotent else (at,)), at
