"""Numbered records on the cluster: what kills, losses and a broker's death leave in the log is what was predicted."""

import random

import pytest

from exactly_once.delivery.numbered import COPIES, KAFKA, NEW_IDS, SENDERS, draw_appends, predict_log, sender
from exactly_once.errors import BadInput
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers.idempotent import numbering
from exactly_once.simulate import simulate
from exactly_once.spark.brokers import kill_the_leader
from exactly_once.spark.numbered import COLUMNS, numbered_table, numbers_on_cluster
from exactly_once.spark.replay import replay_on_cluster
from tests.explore.test_idempotent import explored, once


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


@pytest.mark.cluster
@pytest.mark.timeout(180)
def test_twenty_kills_and_forty_losses_leave_what_was_predicted(spark):
    plan = draw_appends(records=60, seed=3, requests=5, replies=5, deaths=5)
    table = numbered_table(plan, 60, spark)
    assert tuple(table.columns) == COLUMNS
    assert list(table["processes killed"]) == [5] * len(SENDERS)
    assert list(table["in the log"]) == list(table["in the log, predicted"])
    assert list(table["doubled"]) == [5 + 3, 0, 0, 3]  # five replies, and three deaths after the append
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
