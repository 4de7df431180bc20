"""The strategy `structured_streaming` for real: what is left of the real query is what is left of the model."""

from dataclasses import replace

import pandas
import pytest

from exactly_once.errors import BadInput
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers import at_least_once, structured_streaming, structured_streaming_appending
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.spark.run.live import LiveRun
from exactly_once.spark.run.tasks import run_many, run_on_cluster
from exactly_once.spark.streaming import judged
from exactly_once.spark.streaming.driver.places import Mark
from exactly_once.spark.streaming.driver.result import Life, QueryRun
from exactly_once.spark.streaming.judged import STATE, is_query
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
    assert STATE in run.outcome.overlooked
    assert "state" not in verdict.sentence.partition("Not looked at")[0]
    return verdict


@pytest.mark.parametrize("handler", [structured_streaming, structured_streaming_appending])
def test_marks_and_rows_become_the_run_that_the_model_has(handler, tmp_path, monkeypatch):
    """The marks of a driver that dies at D of batch 1, written by hand: no Spark, and the same verdict."""
    for log in ("offsets", "commits"):
        (tmp_path / "checkpoint" / log).mkdir(parents=True)
        for batch in range(2):
            (tmp_path / "checkpoint" / log / str(batch)).write_text(f'v1\n{{}}\n{{"hours":{batch + 1}}}')
    passed = [(1, None, "start"), *((1, 0, letter) for letter in "ABCDE"), *((1, 1, letter) for letter in "ABCD")]
    passed += [(1, 1, "killed"), (2, None, "start"), *((2, 1, letter) for letter in "BCDE"), (2, None, "end")]
    marks = tuple(Mark(*one, float(wall)) for wall, one in enumerate(passed))
    lives = Life(1, 11, 1.0, ("D", 1), None), Life(2, 12, 1.0, None, None)
    batches = [0, 1] if handler is structured_streaming else [0, 1, 1]

    def by_hand(sink, kill, hours, progress):
        assert kill == [("D", 1)]
        found = QueryRun(sink, hours, lives, marks, pandas.DataFrame(), 0, tmp_path)
        return replace(found, rows=found.expected.iloc[batches].assign(batch=batches))

    monkeypatch.setattr(judged, "run_query", by_hand)
    plan, job = FaultPlan.crash("D", 2), Job(2)
    verdict = compare(handler, plan, run_on_cluster(handler, plan, job), job)
    told = [event.text for event in verdict.run.trace if event.life == 2 and event.kind == "receive"]
    assert ("refused" in told) == verdict.consistent


@pytest.mark.not_by_day
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


@pytest.mark.parametrize(
    ("plan", "job", "words"),
    [
        (FaultPlan((Fault("database.transact", 3, "lost reply"),)), None, "a fault of kind 'lost reply'"),
        (FaultPlan((Fault("B", 3, "pause"),)), None, "kind 'pause'"),
        (FaultPlan((Fault("B", 3, "crash-stop"),)), None, "kind 'crash-stop'"),
        (FaultPlan((Fault("store.cas", 3, "crash after"),)), None, "kind 'crash after'"),
        (FaultPlan.crash("B", 3, "executor"), None, "no executor to kill"),
        (FaultPlan.crash("B", 3, node=2), None, "node 2"),
        (None, Job(6, 12), "windows of 24 hours"),
        (None, Job(arrival="as it comes"), "together"),
        (None, Job(items=None), "leave all but its items"),
    ],
)
def test_what_the_real_query_cannot_do_is_refused_before_anything_starts(plan, job, words):
    with pytest.raises(BadInput, match=words):
        run_on_cluster(structured_streaming, plan, job)


def test_the_model_is_never_run_as_a_task():
    assert is_query(structured_streaming)
    assert not is_query(at_least_once)
    with pytest.raises(BadInput, match="run_query"):
        LiveRun(structured_streaming)
    with pytest.raises(BadInput, match="served"):
        run_on_cluster(structured_streaming, served=True)
