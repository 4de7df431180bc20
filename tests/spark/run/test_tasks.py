"""Handlers as tasks of the cluster: real deaths, real takeovers, and the same verdict as in the simulated world."""

import contextlib
import importlib
import os
import random
import time

import psutil
import pytest

from exactly_once import Fault, FaultPlan, Job, judge, run_on_cluster, simulate
from exactly_once.errors import HandlerStuck, OutcomeUnknown
from exactly_once.handlers import (
    ORDERS,
    at_least_once,
    at_most_once,
    handler_in_order,
)
from exactly_once.paths import temporary
from exactly_once.spark import run_many
from exactly_once.spark.cluster.processes import our_processes
from exactly_once.widgets import debugger
from tests.spark.run.waiting import gone

pytestmark = pytest.mark.cluster
POINTS = "ABCDE"
SHARED = (
    "duplicated",
    "missing",
    "wrong",
    "counter",
    "expected_counter",
    "consistent",
    "reached",
    "lives",
    "sentence",
)


def of_both_worlds(handler, plan, run):
    """Return the verdicts of both worlds without the fields that must differ (the durations)."""
    real, simulated = judge(run, handler).json(), judge(simulate(handler, plan, run.job), handler).json()
    return {name: real[name] for name in SHARED}, {name: simulated[name] for name in SHARED}


def test_a_worker_is_killed_and_another_process_takes_over(spark):
    run = run_on_cluster(at_least_once, FaultPlan.crash("B", 3))
    first, second = (event.detail for event in run.trace.lives())
    assert first["pid"] != second["pid"]
    assert gone(first["pid"])
    (death,) = run.trace.deaths()
    assert (death.item, death.detail["at"], death.detail["kill"]) == (3, "B", "worker")
    assert None not in [event.wall for event in run.trace]
    shown = debugger(run, at_least_once)
    shown.go(shown.model.steps.faults()[0] + 1)
    assert "Incarnation 1 dies: SIGKILL at B" in shown.says
    assert f"pid {first['pid']}" in shown.processes


def test_an_executor_is_killed_and_another_executor_or_a_new_one_takes_over(spark):
    run = run_on_cluster(at_least_once, FaultPlan.crash("B", 3, kill="executor"))
    first, second = (event.detail for event in run.trace.lives())
    assert first["jvm"] != second["jvm"]
    assert first["executor"] != second["executor"]
    assert gone(first["jvm"])
    assert gone(first["pid"])


@pytest.mark.slow
def test_all_orders_and_points_with_killed_workers_agree_with_the_simulation_and_nothing_leaks(spark):
    run_on_cluster(at_least_once, FaultPlan.crash("B", 3))
    files, ours = len(psutil.Process().open_files()), our_processes(os.getpid())
    cases = [(handler_in_order(order), FaultPlan.crash(point, 3), Job()) for order in ORDERS for point in POINTS]
    for (handler, plan, _), run in zip(cases, run_many(cases), strict=True):
        real, simulated = of_both_worlds(handler, plan, run)
        assert real == simulated, (handler.__name__, plan.token)
        assert real["reached"]
        assert real["lives"] == 2
    assert list(temporary("runs").iterdir()) == []
    assert len(psutil.Process().open_files()) <= files + 2
    left = our_processes(os.getpid())
    assert len(left) <= len(ours) + 2, left  # each of two executors may keep a worker more for its next task
    assert not [process for process in left if process.status() == psutil.STATUS_ZOMBIE]


def some_executor_kills(count, seed=20_100_101):
    every = [(order, point) for order in ORDERS for point in POINTS]
    return random.Random(seed).sample(every, count)


@pytest.mark.some(day=0, ci=2)
@pytest.mark.parametrize(("order", "point"), some_executor_kills(12))
def test_a_dozen_killed_executors_agree_with_the_simulation(spark, order, point):
    handler, plan = handler_in_order(order), FaultPlan.crash(point, 3, kill="executor")
    real, simulated = of_both_worlds(handler, plan, run_on_cluster(handler, plan))
    assert real == simulated


def test_lives_are_named_by_the_plan_and_not_by_spark(spark):
    plan = FaultPlan((Fault("A", 2, lives=(1, 3)), Fault("D", 4, lives=(2,))))
    run = run_on_cluster(at_least_once, plan)
    assert [(event.life, event.item, event.detail["at"]) for event in run.trace.deaths()] == [
        (1, 2, "A"),
        (2, 4, "D"),
    ]
    real, simulated = of_both_worlds(at_least_once, plan, run)
    assert real == simulated
    assert not real["reached"]  # there is no third life at hour 2


def test_the_same_function_of_a_notebook_runs_in_both_worlds(spark):
    seen = []

    def patient(node):
        positions, window = node.positions.load(), node.state.load()
        seen.append(node)  # what a handler keeps outside its stores dies with the life
        while node.running():
            items, following = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            try:
                node.output.push(window.average())
            except OutcomeUnknown:
                node.output.push(window.average())
            node.state.save(window)
            node.positions.save(following)
            positions = following

    plan = FaultPlan((Fault("output.push", 2, "lost reply"),))
    run = run_on_cluster(patient, plan)
    real, simulated = of_both_worlds(patient, plan, run)
    assert real == simulated
    assert real["duplicated"] == [2]
    assert seen == []


def test_a_handler_that_raises_shows_its_own_traceback_and_is_not_tried_again(spark):
    def broken(node):
        items, _ = node.read(node.positions.load())
        raise ZeroDivisionError(f"at {items[0].hour}")

    run = run_on_cluster(broken)
    assert len(run.trace.lives()) == 1
    assert "ZeroDivisionError: at 1" in run.error
    assert "in broken" in run.error
    assert "node/program.py" not in run.error
    assert "ZeroDivisionError" in judge(run, broken).sentence
    assert judge(run_on_cluster(at_most_once), at_most_once).exactly_once


@pytest.mark.not_by_day
def test_a_handler_that_loops_is_stopped_and_its_place_is_shown(spark):
    def endless(node):
        node.positions.load()
        while True:
            pass

    with pytest.raises(HandlerStuck, match="no step for 8 seconds") as caught:
        run_on_cluster(endless, patience=8)
    assert "in endless" in caught.value.traceback
    run = run_on_cluster(at_least_once)
    assert judge(run, at_least_once).exactly_once


def test_as_it_comes_the_cluster_chooses_and_the_verdict_knows_all_right_outcomes(spark):
    job = Job(items=3, arrival="as it comes")
    run = run_on_cluster(at_least_once, job=job)
    assert judge(run, at_least_once).exactly_once
    run = run_on_cluster(at_least_once, FaultPlan.crash("C", 2), job)
    assert not judge(run, at_least_once).consistent


@pytest.mark.not_by_day
def test_a_progress_callback_counts_up_and_can_stop_the_job(spark):
    counts = []
    run_many([(at_least_once, None, None)] * 4, progress=counts.append)
    assert counts == sorted(counts)
    assert counts[-1] <= 4

    class Enough(Exception):
        pass

    def stop(done):
        raise Enough

    with pytest.raises(Enough):
        run_many([(at_least_once, FaultPlan.crash("B", 3), None)] * 40, progress=stop)
    deadline = time.monotonic() + 30
    while spark.sparkContext.statusTracker().getActiveJobsIds():
        assert time.monotonic() < deadline, "the job goes on"
        time.sleep(0.05)


def test_a_handler_of_a_learners_own_module_runs_on_the_cluster(spark, tmp_path, monkeypatch):
    (tmp_path / "handlers_beside_the_notebook.py").write_text(
        "import helper_beside_it\n\ndef handler(node):\n    helper_beside_it.work(node)\n"
    )
    (tmp_path / "helper_beside_it.py").write_text("def work(node):\n    node.output.push(1)\n")
    monkeypatch.syspath_prepend(tmp_path)
    handler = importlib.import_module("handlers_beside_the_notebook").handler
    run = run_on_cluster(handler)
    assert run.error is None
    assert run.outcome.outputs == ("1",)


@pytest.mark.not_by_day
def test_a_handler_that_takes_steps_for_ever_is_stopped(spark):
    def endless(node):
        while True:
            with contextlib.suppress(BaseException):
                at_least_once(node)

    with pytest.raises(HandlerStuck, match=r"7,000 steps .* node\.running"):
        run_on_cluster(endless)


def test_a_handler_that_ends_its_own_process_is_stopped(spark):
    def vanishes(node):
        os._exit(3)

    with pytest.raises(HandlerStuck, match="ends its own process"):
        run_on_cluster(vanishes)
