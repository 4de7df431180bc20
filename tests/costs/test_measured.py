"""Handlers on real stores, timed: each run is a whole one, and the model counts what it asked."""

from dataclasses import replace

import pytest

from exactly_once import CourseError, Deployment, deployment_of, show
from exactly_once.costs import counted, measured, predicted
from exactly_once.handlers import STRATEGIES, at_least_once
from exactly_once.owned import RUNS
from exactly_once.paths import temporary
from exactly_once.servers.kafka import Kafka
from tests.servers.conftest import etcd, had, postgresql  # noqa: F401 - fixtures

FAR = 0.005  # s
ITEMS = 12


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.some(day=2, ci=4)
def test_far_stores_are_asked_as_often_as_the_model_says_and_never_answer_sooner(strategy):
    """How long a record takes, and how near the model comes, is measured by benchmarks/costs.py."""
    found = measured(strategy, items=ITEMS, latency=FAR)
    assert found.seconds >= predicted(counted(strategy), FAR).seconds * 0.9
    assert found.asked == pytest.approx(counted(strategy).operations, rel=0.1)
    assert min(found.own.values()) >= FAR


def test_each_record_has_its_latency_and_they_add_up():
    found = measured("at_least_once", items=30)
    assert len(found.latencies) == found.items == 30
    assert found.seconds == pytest.approx(sum(found.latencies) / 30)
    assert found.rate == pytest.approx(1 / found.seconds)
    assert min(found.latencies) <= found.median <= found.p99 <= found.longest == max(found.latencies)
    assert "at_least_once on sqlite" in repr(found)
    assert list(show.latencies(found).layout.yaxis.ticktext) == ["at_least_once, sqlite"]


@pytest.mark.parametrize("stores", ["postgresql:", "etcd:", "kafka:", "etcd:,postgresql:"])
@pytest.mark.parametrize("strategy", ["idempotent_output", "transactional", "lock_free"])
@pytest.mark.some(day=1, ci=1)
def test_on_servers(stores, strategy, etcd, postgresql):  # noqa: F811 - the fixtures
    had(Kafka)
    assert len(measured(strategy, stores, items=6).latencies) == 6


def left():
    return {path.name for path in temporary(RUNS).iterdir()}


def raises(node):
    node.read(node.start)
    raise ValueError("out of ink")


def never_ends(node):
    while True:
        node.read(node.start)


def reads_half(node):
    positions = node.start
    for _ in range(2):
        _, positions = node.read(positions)


def does_nothing(node):
    positions = node.start
    while node.running(positions):
        _, positions = node.read(positions)


@pytest.mark.parametrize(
    ("handler", "said"),
    [
        (raises, "out of ink"),
        (never_ends, "its inputs had not ended"),
        (reads_half, "reads 2 of its job's 4 records"),
        (Deployment(does_nothing, None, at_least_once, None), "is not right"),
        (replace(deployment_of(STRATEGIES["transactional"]), beside=raises), "out of ink"),
    ],
    ids=["raises", "never ends", "reads half", "another outcome", "the other node raises"],
)
def test_a_run_that_did_not_do_its_work_gives_no_figures_and_leaves_nothing(handler, said):
    before = left()
    with pytest.raises(CourseError, match=said):
        measured(handler, items=4)
    assert left() == before
