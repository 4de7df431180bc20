"""Handlers on real stores, timed: each run is a whole one, and the model predicts what it took."""

from dataclasses import replace

import pytest

from exactly_once import Deployment, deployment_of, show
from exactly_once.costs import counted, measured, predicted
from exactly_once.errors import BadInput, CourseError
from exactly_once.handlers import STRATEGIES, at_least_once
from exactly_once.owned import RUNS
from exactly_once.paths import temporary
from exactly_once.servers.kafka.broker import Kafka
from tests.servers.conftest import etcd, had, postgresql  # noqa: F401 - fixtures

FAR = 0.02  # s; beside it the machine's other work does not count for much
ITEMS = 12


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.some(day=2, ci=4)
def test_the_model_predicts_what_a_record_takes_on_far_stores(strategy):
    near = measured(strategy, items=ITEMS)
    said = predicted(counted(strategy), {what: FAR + own for what, own in near.own.items()}).seconds
    for _ in range(20):  # other processes may slow down some runs, and hardly all
        found = measured(strategy, items=ITEMS, latency=FAR)
        if abs(found.seconds / said - 1) <= 0.25:
            break
    assert found.seconds == pytest.approx(said, rel=0.25)
    assert found.asked == pytest.approx(counted(strategy).operations, rel=0.1)
    assert min(seconds for spent in found.every.values() for seconds in spent) >= FAR
    assert (found.waited > 0) == (strategy == "transactional")


def test_each_record_has_its_latency_and_they_add_up():
    found = measured("at_least_once", items=30)
    assert len(found.latencies) == found.items == 30
    assert found.seconds == pytest.approx(sum(found.latencies) / 30)
    assert found.rate == pytest.approx(1 / found.seconds)
    assert min(found.latencies) <= found.median <= found.p99 <= found.longest == max(found.latencies)
    assert set(found.operations) <= set(found.every) == set(found.own)
    assert sum(map(len, found.operations.values())) == pytest.approx(30 * found.asked)
    assert "at_least_once on sqlite" in repr(found)
    assert list(show.latencies(found).layout.yaxis.ticktext) == ["at_least_once, sqlite"]


@pytest.mark.parametrize("stores", ["postgresql:", "etcd:", "kafka:", "etcd:,postgresql:"])
@pytest.mark.parametrize("strategy", ["idempotent_output", "transactional", "lock_free"])
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


def test_wrong_values_are_refused():
    for given in (
        {"strategy": "exactly_twice"}, {"strategy": 3}, {"items": 0}, {"items": True}, {"latency": -1},
        {"latency": "5ms"}, {"latency": float("nan")}, {"stores": "mysql:"},
    ):  # fmt: skip
        with pytest.raises(BadInput):
            measured(**{"strategy": "at_least_once", **given})
