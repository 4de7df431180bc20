"""Numbered records on the cluster: the log after kills, losses and a broker's death is the predicted log."""

import random

import pytest
from tests.spark.run.killing import killed_at_random

from exactly_once.handlers.logs.prediction import sender
from exactly_once.spark import SENDERS, draw_appends, numbered_table

pytestmark = pytest.mark.not_by_day
NO_RULE, ARTICLE, KAFKA, NEW_IDS = SENDERS


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
        if event.process.startswith("log.") and (event.kind, event.verb) == ("receive", "produce")
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
    table = numbered_table(plan, 60)
    assert list(table["processes killed"]) == [3] * len(SENDERS)
    assert list(table["in the log"]) == list(table["in the log, predicted"])
    assert list(table["doubled"]) == [5 + 2, 0, 0, 2]  # five replies, and two deaths after the append
    assert list(table["lost"]) == [0] * len(SENDERS)


@pytest.mark.cluster
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_two_hundred_kills_from_outside(spark):
    copies = killed_until(200, records=100, seed=13, most=5)
    assert copies[NO_RULE] > 0
    assert copies[NEW_IDS] > 0, "of so many kills, some fell between the append and the saved position"
