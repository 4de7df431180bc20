"""Every kind of fault on the cluster: the events in the trace and the result, as in the simulated world."""

import pytest

from exactly_once.explore import replay
from exactly_once.spark import replay_many, run_many
from tests.explore.test_fault_table import found
from tests.node.fault_table import JOB, ON_CLUSTER, wrongs
from tests.node.world_conformance import untruths
from tests.spark.comparing import shape

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def runs(shared_cluster):
    return run_many([(row.programs, row.plan, JOB) for row in ON_CLUSTER])


def test_the_cluster_carries_every_row_out(runs):
    assert {row.name: wrong for row, run in zip(ON_CLUSTER, runs, strict=True) if (wrong := wrongs(row, run))} == {}
    assert {row.name: wrong for row, run in zip(ON_CLUSTER, runs, strict=True) if (wrong := untruths(run))} == {}


def test_each_life_that_died_or_slept_was_a_process_of_its_own(runs):
    for row, run in zip(ON_CLUSTER, runs, strict=True):
        if row.lives > 1:
            mine = [event.detail["pid"] for event in run.trace.lives() if event.detail.get("node", 0) == 0]
            assert len(set(mine)) == row.lives, row.name


def test_the_cluster_replays_what_the_explorer_finds(shared_cluster):
    chosen = [row for row in ON_CLUSTER if row.fault.at != "A" and row.fault.node == 1 and row.fault.until != 2]
    cases = [(found(row)[0], row.programs) for row in chosen]
    for row, (token, programs), run in zip(chosen, cases, replay_many(cases), strict=True):
        performed = replay(token, programs).run
        assert run.outcome == performed.outcome, row.name
        assert shape(run) == shape(performed), row.name
