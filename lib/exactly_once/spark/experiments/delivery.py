"""Records on their way through a log on disk, counted: a producer and a consumer, or senders that number records.

The programs are those that `simulate` runs and the explorer proves. The outcome of a plan of faults is known
beforehand (`predict`, `predict_log`).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import pandas

from ...errors import one_of
from ...faults import FaultPlan
from ...handlers.logs.both_sides import EFFECTS, PRODUCERS, backward, both_plans, both_sides, effects_of, right
from ...handlers.logs.prediction import (
    RECORDS,
    SENDERS,
    Counted,
    draw_appends,
    draw_faults,
    predict,
    predict_log,
    sender,
)
from ...verdict import Run
from . import experiment, killed

BATCH = 10
KEYS = tuple(f"sensor {number}" for number in range(1, 6))
COLUMNS = (
    "producer", "position", "sent", "in the log", "effects", "lost", "lost, predicted", "doubled",
    "doubled, predicted", "keys wrong", "old values back", "processes killed", "seconds",
)  # fmt: skip


OF_SENDERS = ("in the log", "in the log, predicted", "doubled", "lost", "in order", "processes killed", "seconds")


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
    def row(self) -> tuple[Any, ...]:
        """The run as a row of `delivery_table`."""
        found, predicted = self.found, self.predicted
        wrong = sum(self.held.get(key) != number for key, number in self.right.items())
        return (
            self.retry, self.position, found.records, len(found.log), len(found.applied), found.lost, predicted.lost,
            found.doubled, predicted.doubled, wrong, self.back, self.deaths, round(self.seconds, 1),
        )  # fmt: skip


def deliver_on_cluster(
    retry: str = "retry",
    position: str = "last",
    update: str = "add",
    sending: FaultPlan | None = None,
    receiving: FaultPlan | None = None,
    records: int = RECORDS,
    spark: Any = None,
) -> Delivered:
    """Send `records` records through a log on disk, producer and consumer each a task of the cluster, both at once.

    `retry` is "retry" or "give up"; `position` and `update` as for `consumer`, which saves its position every 10
    records; `sending` and `receiving` are the fault plans of the two sides, their items the records' numbers from 1.
    Returns a `Delivered`. Each append writes the log's whole content, so thousands of records take minutes.

    Raises `BadInput` for settings that make no sense and for faults that `predict` cannot count, and as
    `run_on_cluster` does.
    """
    setting = retry, position, update
    (done,) = _delivered([setting], sending, receiving, records, spark)
    return done


def delivery_table(
    records: int = RECORDS, seed: int = 1, update: str = "add", spark: Any = None, **counts: int
) -> pandas.DataFrame:
    """Run all four settings under the same faults, drawn by `seed`. Returns a DataFrame, a row for each.

    `counts` go to `draw_faults`: requests, replies, deaths. Raises as `deliver_on_cluster` does.
    """
    effect = EFFECTS[one_of("what an update does", update, EFFECTS)][-1]
    plans = draw_faults(records, seed, effect=effect, **counts)
    settings = [(retry, position, update) for retry in PRODUCERS for position in ("last", "first")]
    rows = [one.row for one in _delivered(settings, plans[0], plans[1], records, spark)]
    table = pandas.DataFrame(rows, columns=COLUMNS)
    return table.drop(columns="old values back") if update == "add" else table


def _delivered(
    settings: Iterable[tuple[str, str, str]], sending: FaultPlan | None, receiving: FaultPlan | None, records: int,
    spark: Any,
) -> Collection[Delivered]:  # fmt: skip
    """Carry out the settings (retry, position, update) one by one; return a `Delivered` of each."""
    predicted = {
        (retry, position, update): predict(sending, receiving, retry, position, records, BATCH)
        for retry, position, update in settings
    }

    def observe(setting: tuple[str, str, str], run: Run) -> Any:
        effects = effects_of(run)
        applied = [(number, key) for number, key, _ in effects]
        log = tuple(push.value for push in run.pushes)
        return Delivered(
            *setting, Counted(records, log, tuple(number for number, _ in applied)), predicted[setting],
            {key: value for _, key, value in effects}, right(setting[2], records, KEYS),
            len(backward(applied)) if setting[2] == "overwrite" else 0, killed(run), run.seconds,
        )  # fmt: skip

    programs = {setting: both_sides(*setting, records, BATCH, KEYS) for setting in settings}
    return experiment(programs, both_plans(sending, receiving), observe, spark).values()


def numbered_table(plan: FaultPlan | None = None, records: int = 200, spark: Any = None) -> pandas.DataFrame:
    """Run all `SENDERS` at once under the same plan, by default one of `draw_appends`. Returns a DataFrame.

    It has a row for each: the broker's rule, and whether an incarnation keeps its predecessor's id. Raises as
    `deliver_on_cluster` does.
    """
    plan = plan or draw_appends(records)
    predicted = {name: predict_log(name, plan, records) for name in SENDERS}

    def observe(name: str, run: Run) -> Any:
        found = [push.value for push in run.pushes]
        once = len(set(found))
        return (
            len(found), len(predicted[name]), len(found) - once, records - once, found == sorted(found), killed(run),
            round(run.seconds, 1),
        )  # fmt: skip

    programs = {name: sender(name, records) for name in SENDERS}
    rows = experiment(programs, plan, observe, spark)
    return pandas.DataFrame(rows.values(), index=list(rows), columns=OF_SENDERS)
