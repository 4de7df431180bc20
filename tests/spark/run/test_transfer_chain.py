"""The transfer as a chain, for real: whoever is killed, nothing is lost."""

import random

import pytest

from exactly_once import Fault, FaultPlan, run_on_cluster
from exactly_once.handlers import Chain
from tests.handlers.transfer.test_chain import left

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.timeout(300)]


def killed(orders, count, seed):
    """Return a fault plan that kills whoever gets there first, at `count` of so many orders."""
    draw = random.Random(seed)
    return FaultPlan([
        Fault(draw.choice(("store.cas", "input.read")), order, draw.choice(("crash before", "crash after")))
        for order in sorted(draw.sample(range(1, orders + 1), count))
    ])  # fmt: skip


def test_twins_that_are_killed_leave_each_order_once(shared_cluster):
    chain = Chain([[("a", "b", 1 + order % 9) for order in range(12)]], {"a": 40, "b": 0})
    run = run_on_cluster(chain.programs, killed(12, 6, 1), patience=90)
    assert len(run.trace.deaths()) == 6
    assert left(chain, run) == (chain.expected, 0)
    assert chain.expected[1], "some are refused"
