"""The strategy `structured_streaming` for real: what is left of the real query is what is left of the model."""

import pytest

from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers import structured_streaming, structured_streaming_appending
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.spark.run.tasks import run_many, run_on_cluster
from exactly_once.verdict import judge
from tests.node.world_conformance import project, untruths

APART = ("state", "others")  # what the real query keeps in its own form
D_TWICE = FaultPlan((Fault("D", 2, lives=(1, 2)),))


def compare(handler, plan, run, job=None):
    """Compare a run of the real query with the simulation of the same plan, and return its verdict."""
    model, verdict = simulate(handler, plan, job), judge(run, handler)
    found, right = (
        {name: value for name, value in project(one).items() if name not in APART} for one in (run, model)
    )
    assert found == right
    assert untruths(run) == []
    wanted = judge(model, handler)
    assert (verdict.consistent, verdict.reached) == (wanted.consistent, wanted.reached), verdict.sentence
    assert verdict.damage.duplicated == wanted.damage.duplicated
    assert any("the state" in one for one in run.outcome.overlooked)
    assert "state" not in verdict.sentence.partition("Not looked at")[0]
    return verdict


@pytest.mark.slow
@pytest.mark.cluster
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("handler", "plan"), [(structured_streaming, D_TWICE), (structured_streaming_appending, D_TWICE)]
)
def test_the_same_kills_leave_the_same_in_the_model_and_in_the_real_query(shared_cluster, handler, plan):
    job, marks = Job(3), []
    (run,) = run_many([(handler, plan, job)], progress=marks.append)
    verdict = compare(handler, plan, run, job)
    assert set(marks) == {0}
    assert [death.detail["kill"] for death in run.trace.deaths()] == ["driver"] * 2
    assert verdict.damage.duplicated == (() if handler is structured_streaming else (2,))
    assert [push.item for push in run.pushes] == [1, 2, 2, 2, 3][:: 1 if verdict.damage.duplicated else 2]


@pytest.mark.cluster
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("point", "ABCDE")
def test_every_letter(shared_cluster, point):
    for handler in (structured_streaming, structured_streaming_appending):
        plan = FaultPlan.crash(point, 3)
        compare(handler, plan, run_on_cluster(handler, plan))
