"""Producers that number their records as tasks of the cluster, over one log on disk: real SIGKILLs, counted.

The programs are those that the explorer proves; the outcome of a plan of faults is known beforehand (`predict_log`).
"""

from dataclasses import dataclass

import pandas

from ..delivery.numbered import SENDERS, draw_appends, predict_log, sender
from ..errors import CourseError
from .run.tasks import run_many

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
