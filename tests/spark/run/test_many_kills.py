"""Many real SIGKILLs in a row, drawn from a seed: no hang, no leak of processes or files, no wrong verdict."""

import os
import random

import psutil
import pytest

from exactly_once import FaultPlan, judge, run_on_cluster, simulate
from exactly_once.handlers import ORDERS, handler_in_order
from exactly_once.paths import temporary
from exactly_once.spark.cluster.processes import our_processes

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster]


def drawn(rng):
    """Return a handler and a plan that kills up to three lives at one point of one hour."""
    lives = tuple(range(1, rng.choice([1, 1, 1, 2, 3]) + 1))
    kill = "executor" if rng.random() < 0.05 else "worker"
    return handler_in_order(rng.choice(ORDERS)), FaultPlan.crash(rng.choice("ABCDE"), rng.randint(1, 6), kill, lives)


def kill_in_a_row(spark, kills, seed):
    """Run until so many processes were killed, and check each verdict against the simulated world's."""
    rng, killed = random.Random(seed), 0
    while killed < kills:
        handler, plan = drawn(rng)
        run = run_on_cluster(handler, plan, spark=spark)
        real, simulated = judge(run, handler), judge(simulate(handler, plan, run.job), handler)
        assert real.sentence == simulated.sentence, (handler.__name__, plan.token)
        assert (real.damage, real.consistent, real.reached) == (
            simulated.damage,
            simulated.consistent,
            simulated.reached,
        )
        killed += len(run.trace.deaths())
    return killed


def in_a_row_without_leaks(spark, kills, seed):
    kill_in_a_row(spark, 3, seed)
    files, ours = len(psutil.Process().open_files()), our_processes(os.getpid())
    assert kill_in_a_row(spark, kills, seed + 1) >= kills
    assert list(temporary("runs").iterdir()) == []
    assert len(psutil.Process().open_files()) <= files + 2
    left = our_processes(os.getpid())
    assert len(left) <= len(ours) + 2, left  # each of two executors may keep a worker more for its next task
    assert not [process for process in left if process.status() == psutil.STATUS_ZOMBIE]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_two_hundred_kills_in_a_row(spark):
    in_a_row_without_leaks(spark, 200, seed=1991)
