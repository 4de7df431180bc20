"""A run on the cluster, with a process really killed, opens in the same debugger as a simulated one."""

import pytest

from exactly_once.faults import FaultPlan
from exactly_once.handlers import at_least_once
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.spark.run.tasks import run_on_cluster
from exactly_once.widgets import debugger

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.timeout(300)]
PLAN, JOB = FaultPlan.crash("B", 3), Job(items=4)


@pytest.fixture(scope="module")
def real(shared_cluster):
    return run_on_cluster(at_least_once, PLAN, JOB)


def at_the_end(shown):
    steps = shown.model.steps
    return [(held.part, held.text) for held in steps.stores(len(steps) - 1)]


def test_a_real_run_is_stepped_through_like_a_simulated_one(real):
    shown, simulated = debugger(real, at_least_once), debugger(simulate(at_least_once, PLAN, JOB), at_least_once)
    assert at_the_end(shown) == at_the_end(simulated)
    steps = shown.model.steps
    (death,) = steps.faults()
    shown.go(death + 1)
    assert "Incarnation 1 dies: SIGKILL at B" in shown.says
    assert "pid " in shown.processes
    assert 'class="eo-debugger-now-line" data-line="12"' in shown.code
    assert [life.state for life in steps.lives(len(steps) - 1)] == ["dead", "ended"]
