"""The Spark world does to a handler what every world must do."""

import pytest

from exactly_once.spark import run_many
from tests.node.world_conformance import CASES, mismatches, untruths

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster]


@pytest.mark.parametrize("served", [False, True], ids=["files", "a process of its own serves the stores"])
@pytest.mark.parametrize("every", [50, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.timeout(900)
def test_each_case_of_the_conformance_suite_is_met_and_its_trace_in_order(shared_cluster, every, served):
    cases = CASES[::every]
    runs = run_many([(case.handler, case.plan, case.job) for case in cases], served=served)
    assert {case.name: found for case, run in zip(cases, runs, strict=True) if (found := mismatches(case, run))} == {}
    assert {case.name: found for case, run in zip(cases, runs, strict=True) if (found := untruths(run))} == {}
