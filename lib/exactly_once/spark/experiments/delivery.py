"""Records on their way through a log on disk, counted: a producer and a consumer, or senders that number records.

The programs are those that `simulate` runs and the explorer proves. The outcome of a plan of faults is known
beforehand (`predict`, `predict_log`).
"""

from collections import Counter
from typing import Any

import pandas

from ...faults import FaultPlan
from ...handlers.logs.both_sides import POSITIONS, PRODUCERS, both_plans, both_sides, effects_of, key_of
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
    "doubled, predicted", "keys wrong", "processes killed", "seconds",
)  # fmt: skip
OF_SENDERS = ("in the log", "in the log, predicted", "doubled", "lost", "in order", "processes killed", "seconds")


def delivery_table(records: int = RECORDS, seed: int = 1, **counts: int) -> pandas.DataFrame:
    """Send `records` records through a log on disk, producer and consumer each a task of the cluster, both at once.

    The producer retries or gives up, and the consumer saves its position last or first, every 10 records: four
    settings, under the same faults, drawn by `seed`. Returns a DataFrame, a row for each. `counts` go to
    `draw_faults`: requests, replies, deaths. Each append writes the log's whole content, so thousands of records take
    minutes. Raises `BadInput` for settings that make no sense, and as `run_on_cluster` does.
    """
    sending, receiving = draw_faults(records, seed, **counts)
    due = Counter(key_of(number, KEYS) for number in range(1, records + 1))

    def observe(setting: tuple[str, str], run: Run) -> tuple[Any, ...]:
        effects, predicted = effects_of(run), predict(sending, receiving, *setting, records, BATCH)
        found = Counted(records, tuple(push.value for push in run.pushes), tuple(number for number, *_ in effects))
        held = {key: value for _, key, value in effects}
        return (
            *setting, records, len(found.log), len(found.applied), found.lost, predicted.lost, found.doubled,
            predicted.doubled, sum(held.get(key) != count for key, count in due.items()), killed(run),
            round(run.seconds, 1),
        )  # fmt: skip

    settings = [(retry, position) for retry in PRODUCERS for position in reversed(POSITIONS)]
    programs = {(retry, position): both_sides(retry, position, "add", records, BATCH, KEYS)
                for retry, position in settings}  # fmt: skip
    rows = experiment(programs, both_plans(sending, receiving), observe)
    return pandas.DataFrame(rows.values(), columns=COLUMNS)


def numbered_table(plan: FaultPlan | None = None, records: int = 200) -> pandas.DataFrame:
    """Run all `SENDERS` at once under the same plan, by default one of `draw_appends`. Returns a DataFrame.

    It has a row for each: the broker's rule, and whether an incarnation keeps its predecessor's id. Raises as
    `delivery_table` does.
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
    rows = experiment(programs, plan, observe)
    return pandas.DataFrame(rows.values(), index=list(rows), columns=OF_SENDERS)
