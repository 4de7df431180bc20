"""Producers that number their records as tasks of the cluster, over one log on disk: real SIGKILLs, counted.

The programs are those that the explorer proves; the outcome of a plan of faults is known beforehand (`predict_log`).
The outcome of kills from outside, at random moments, is known from the requests that reached the log.
"""

import random
from dataclasses import dataclass

import pandas

from ..delivery.numbered import SENDERS, draw_appends, predict_from_requests, predict_log, sender
from ..errors import CourseError, whole
from ..handlers.logs.idempotent import READINGS
from .run.killing import Killer
from .run.tasks import Prepared, in_turn, run_many

COLUMNS = ("in the log", "in the log, predicted", "doubled", "lost", "in order", "processes killed", "seconds")


@dataclass(frozen=True)
class Numbered:
    """The result of a run on the cluster: the numbers of the records found and of those predicted, in order.

    `deaths` are the processes that were killed, `seconds` how long it took.
    """

    name: str
    records: int
    found: tuple
    predicted: tuple
    deaths: int
    seconds: float

    @property
    def row(self):
        """The run as a row of `numbered_table`."""
        once = set(self.found)
        in_order = all(one <= other for one, other in zip(self.found, self.found[1:], strict=False))
        return (
            len(self.found), len(self.predicted), len(self.found) - len(once), self.records - len(once),
            in_order, self.deaths, round(self.seconds, 1),
        )  # fmt: skip


def numbers_on_cluster(plans, records=200, spark=None, progress=None, patience=60.0):
    """Run senders as tasks of the cluster, each under a plan of `draw_appends`. Returns a list of `Numbered`.

    `plans` are (name of one of `SENDERS`, plan): the name tells the broker's rule, and whether an incarnation keeps
    the id of its predecessor. `progress`, if given, is called with the number of runs that have ended. Raises
    `BadInput` for settings that make no sense and faults that cannot be counted, and as `run_many` does.
    """
    predicted = [predict_log(name, plan, records) for name, plan in plans]
    runs = run_many([(sender(name, records), plan, None) for name, plan in plans], spark, progress, patience)
    done = []
    for (name, _), run, foretold in zip(plans, runs, predicted, strict=True):
        deaths = sum("kill" in death.detail for death in run.trace.deaths())
        done.append(_numbered(name, records, run, foretold, deaths))
    return done


def killed_from_outside(plans, records=200, kills=3, seed=1, spark=None, patience=60.0):
    """Run senders as `numbers_on_cluster` does, and SIGKILL each from here, `kills` times at moments that are drawn.

    A moment is a number of events that the run has recorded; where in its code the worker is then, nobody decides. A
    run that ends before its last moments is killed less often. `plans` may have any faults: the requests that reached
    the log tell its right contents (`predict_from_requests`). Returns a list of `Numbered`; raises as `run_many`
    does.
    """
    whole("the number of kills", kills)
    rng = random.Random(f"kills {seed}")
    runs = [Prepared(sender(name, records), plan) for name, plan in plans]
    killers = [Killer(run, rng.sample(range(1, 8 * records), kills), rng) for run in runs]
    done = in_turn(runs, spark, lambda _: [killer.look() for killer in killers], patience)
    return [
        _numbered(name, records, run, predict_from_requests(name, _requests(run)), len(run.trace.deaths()))
        for (name, _), run in zip(plans, done, strict=True)
    ]


def _requests(run):
    """Return (record's number, life) of each append that reached the log, in their order."""
    return [
        (event.item, event.life)
        for event in run.trace
        if (event.process, event.kind, event.verb) == (f"log.{READINGS}", "receive", "produce")
    ]


def _numbered(name, records, run, predicted, deaths):
    if run.error:
        raise CourseError(f"The producer failed on the cluster: {run.error.strip().splitlines()[-1]}")
    found = tuple(push.value for push in run.pushes)
    return Numbered(name, records, found, tuple(predicted), deaths, run.seconds)


def numbered_table(plan=None, records=200, spark=None, progress=None):
    """Run all senders under the same plan, by default one of `draw_appends`. Returns a DataFrame, a row for each.

    `progress` and the errors are as in `numbers_on_cluster`.
    """
    plan = plan or draw_appends(records)
    runs = numbers_on_cluster([(name, plan) for name in SENDERS], records, spark, progress)
    return pandas.DataFrame([run.row for run in runs], index=list(SENDERS), columns=COLUMNS)
