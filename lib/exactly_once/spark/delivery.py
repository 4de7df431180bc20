"""A producer and a consumer as tasks of the cluster, over one log on disk: real losses, real SIGKILLs, counted.

The programs are those that `simulate` runs and the explorer proves. The outcome of a plan of faults is known
beforehand (`predict`).
"""

from dataclasses import dataclass

import pandas

from ..delivery.prediction import RECORDS, Counted, draw_faults, predict
from ..delivery.run import backward, both_plans, both_sides, effects_of, right
from ..errors import CourseError, one_of
from ..handlers.logs.consumer import EFFECTS
from ..handlers.logs.producer import PRODUCERS
from .run.tasks import run_on_cluster

BATCH = 10
KEYS = tuple(f"sensor {number}" for number in range(1, 6))
COLUMNS = (
    "producer", "position", "sent", "in the log", "effects", "lost", "lost, predicted", "doubled",
    "doubled, predicted", "keys wrong", "old values back", "processes killed", "seconds",
)  # fmt: skip


@dataclass(frozen=True)
class Delivered:
    """A run on the cluster: `found`, counted from log and effects, and `predicted`, from the plan alone.

    `held` is the number under each key, `right` its correct value; `back` counts the moments at which an older value
    came back under a key; `deaths` the processes that were killed, `seconds` how long it took.
    """

    retry: str
    position: str
    update: str
    found: Counted
    predicted: Counted
    held: dict
    right: dict
    back: int
    deaths: int
    seconds: float

    @property
    def row(self):
        """The run as a row of `delivery_table`."""
        found, predicted = self.found, self.predicted
        wrong = sum(self.held.get(key) != number for key, number in self.right.items())
        return (
            self.retry, self.position, found.records, len(found.log), len(found.applied), found.lost, predicted.lost,
            found.doubled, predicted.doubled, wrong, self.back, self.deaths, round(self.seconds, 1),
        )  # fmt: skip


def deliver_on_cluster(
    retry="retry",
    position="last",
    update="add",
    sending=None,
    receiving=None,
    records=RECORDS,
    spark=None,
    patience=60.0,
):
    """Send `records` records through a log on disk, producer and consumer each a task of the cluster, both at once.

    `retry` is "retry" or "give up"; `position` and `update` as for `consumer`, which saves its position every 10
    records; `sending` and `receiving` are the fault plans of the two sides, their items the records' numbers from 1.
    Returns a `Delivered`. Each append writes the log's whole content, so thousands of records take minutes.

    Raises `BadInput` for settings that make no sense and for faults that `predict` cannot count, and as
    `run_on_cluster` does.
    """
    programs = both_sides(retry, position, update, records, BATCH, KEYS)
    plan = both_plans(sending, receiving, update)
    predicted = predict(sending, receiving, retry, position, records, BATCH)
    run = run_on_cluster(programs, plan, spark=spark, patience=patience)
    if run.error:
        raise CourseError(f"The delivery failed on the cluster: {run.error.strip().splitlines()[-1]}")
    effects = effects_of(run)
    applied = [(number, key) for number, key, _ in effects]
    found = Counted(records, tuple(push.value for push in run.pushes), tuple(number for number, _ in applied))
    return Delivered(
        retry, position, update, found, predicted, {key: value for _, key, value in effects},
        right(update, records, KEYS), len(backward(applied)) if update == "overwrite" else 0,
        sum("kill" in death.detail for death in run.trace.deaths()), run.seconds,
    )  # fmt: skip


def delivery_table(records=RECORDS, seed=1, update="add", spark=None, progress=None, **counts):
    """Run all four settings under the same faults, drawn by `seed`. Returns a DataFrame, a row for each.

    `counts` go to `draw_faults`: requests, replies, deaths. `progress`, if given, is called with the number of runs
    that have ended. Raises as `deliver_on_cluster` does.
    """
    effect = EFFECTS[one_of("what an update does", update, EFFECTS)][-1]
    plans, rows = draw_faults(records, seed, effect=effect, **counts), []
    for retry in PRODUCERS:
        for position in ("last", "first"):
            rows.append(deliver_on_cluster(retry, position, update, *plans, records, spark).row)
            if progress:
                progress(len(rows))
    table = pandas.DataFrame(rows, columns=COLUMNS)
    return table.drop(columns="old values back") if update == "add" else table
