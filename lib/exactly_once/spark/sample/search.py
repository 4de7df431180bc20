"""Beyond exploration: random schedules as a Spark job, its seeds spread over the executors.

A sample proves nothing: a thousand seeds without a violation say nothing about the next one.
"""

import sys

import pandas

from ...errors import BadInput, is_whole, whole
from ...explore import tokens
from ...explore.case import bounded
from ...node.pickling import pickle_handler
from ...sandbox import pool
from ...simulate.decision import Decision
from ..cluster.cluster import cluster
from ..run.tasks import SparkTask, await_all
from .sampler import WorkUnit, sample_seeds

SEEDS_OF_A_TASK = 2_000
COLUMNS = ("seed", "consistent", "kind", "damage", "faults", "sentence", "token")


def search(
    handler,
    seeds=1_000,
    nodes=1,
    items=3,
    *,
    job=None,
    invariant=None,
    reference=None,
    spark=None,
    progress=None,
    patience=120.0,
    **faults,
):
    """Sample one random schedule for each seed, on the cluster. Returns a pandas DataFrame with a row for each seed.

    Its columns: `seed`; `consistent`, True when the run ended as it should; `kind`, "right" or the kind of error as
    in a `Counterexample`; `damage` and `sentence` describe the error in words (found once for runs that leave equal
    stores); `faults`, a letter for each that struck, as in a `Decision`; `token`, which `replay(token, handler)` and
    `replay_on_cluster` carry out, "" for a right run.

    `seeds` is how many (from 0 on), or the seeds themselves. A seed is the same schedule on every machine. The
    handler, the bounds and the rules are as in `prove`; the bounds are the most that can strike in one run.
    `progress`, if given, is called with the number of seeds done; an exception of `progress` stops the job.

    Raises `BadInput` for bounds or seeds that make no sense, `HandlerStuck` when no task ends for `patience` seconds,
    `CourseError` for a handler that is not deterministic, or does not get through its inputs when nothing goes wrong.
    """
    case = bounded(handler, nodes, items, job, faults)
    handlers, job = case.handlers, case.job
    if len(handlers) > 1 and reference is None and invariant is None:
        raise BadInput("The nodes run different handlers; say what is right with `reference` or `invariant`.")
    seeds = _seeds(seeds)
    if invariant is None:
        pool.ideals(reference or handlers[0], job)  # a handler that fails without any fault is told so at once
    spark = spark or cluster()
    slots = spark.sparkContext.defaultParallelism
    tasks = min(len(seeds), max(2 * slots, -(-len(seeds) // SEEDS_OF_A_TASK)))
    pickled = pickle_handler(handlers[0], handlers, reference, invariant)
    shares = [seeds[number::tasks] for number in range(tasks)]
    task = SparkTask(spark, [WorkUnit(pickled, job, case.bounds, share, sys.path) for share in shares], sample_seeds)
    remedy = "Look for a loop in the handler that never leaves, or give fewer items."
    tell = progress and (lambda ended: progress(len(seeds) * ended // tasks))
    schedules = await_all(task, "the search", remedy, patience, tell)
    return _frame(schedules, handlers, job, nodes)


def _seeds(seeds):
    if is_whole(seeds):
        return range(whole("the number of seeds", seeds, least=1))
    if not isinstance(seeds, (range, list, tuple)) or not seeds:
        raise BadInput(f"The seeds are {seeds!r}; give how many, or a list or range of whole numbers.")
    for seed in seeds:
        whole("a seed", seed)
    return seeds


def _frame(schedules, handlers, job, nodes):
    rows = [
        (
            schedule.seed,
            schedule.kind == "right",
            schedule.kind,
            schedule.damage,
            schedule.faults,
            schedule.sentence,
            tokens.write(handlers, job, nodes, [Decision(*one) for one in schedule.schedule])
            if schedule.schedule
            else "",
        )
        for schedule in sorted(schedules, key=lambda schedule: schedule.seed)
    ]
    return pandas.DataFrame(rows, columns=COLUMNS)
