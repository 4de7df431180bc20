"""The Spark world does to a handler what every world must do."""

import pytest

from exactly_once.spark.run.tasks import run_many
from tests.node.world_conformance import CASES, mismatches, untruths

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster]


@pytest.fixture(scope="module")
def runs(shared_cluster):
    return run_many([(case.handler, case.plan, case.job) for case in CASES])


@pytest.mark.slow
def test_each_case_of_the_conformance_suite_is_met(runs):
    assert {case.name: found for case, run in zip(CASES, runs, strict=True) if (found := mismatches(case, run))} == {}


def test_every_trace_is_in_the_order_of_its_clocks(runs):
    assert {case.name: found for case, run in zip(CASES, runs, strict=True) if (found := untruths(run))} == {}


@pytest.mark.parametrize("every", [30, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.timeout(900)
def test_cases_are_met_when_a_process_of_its_own_serves_the_stores(shared_cluster, every):
    cases = CASES[::every]
    served = run_many([(case.handler, case.plan, case.job) for case in cases], served=True)
    wrong = {case.name: found for case, run in zip(cases, served, strict=True) if (found := mismatches(case, run))}
    assert wrong == {}
    assert [case.name for case, run in zip(cases, served, strict=True) if untruths(run)] == []
