"""A producer and a consumer as tasks of the cluster, over one log on disk: real losses, real SIGKILLs, counted.

The handlers are those that the explorer proves. What comes of a plan of misfortunes is known beforehand (`predict`).
"""

import contextlib
import sys
import time
from dataclasses import dataclass

import pandas

from ..errors import CourseError, one_of, whole
from ..faults import FaultPlan
from ..handlers.consumer import POSITIONS, UPDATES, consumer
from ..handlers.producer import PRODUCERS
from ..log.opening import open_log
from ..node.life import InputsEnded
from ..node.parcel import pack, unpack
from ..simulate.client import Client
from ..simulate.delivery import backward
from ..simulate.prediction import Counted, misfortunes, predict
from .cluster import checked_session, cluster
from .deliveryground import TOPIC, Sending, Taking, effects_of, key_of
from .folder import RunFolder, found_here
from .tasks import SparkTask, await_all

BATCH = 10
KEYS = 5
COLUMNS = (
    "producer", "position", "sent", "in the log", "effects", "lost", "lost, predicted", "doubled",
    "doubled, predicted", "keys wrong", "old values back", "processes killed", "seconds",
)  # fmt: skip


@dataclass(frozen=True)
class Delivered:
    """What a run on the cluster left: `found`, counted from log and effects, and `predicted`, from the plan alone.

    `held` is the number under each key, `right` what it should be; `back` counts the moments at which an older value
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
    retry="retry", position="last", update="add", sending=None, receiving=None, records=2_000, spark=None, patience=60.0
):
    """Send `records` records through a log on disk, producer and consumer each a task of the cluster, both at once.

    `retry` is "retry" or "give up"; `position` and `update` as for `consumer`, which saves its position every 10
    records; `sending` and `receiving` are the fault plans of the two sides, their items the records' numbers from 1.
    Returns a `Delivered`. Raises `BadInput` for settings that make no sense, `HandlerStuck` when neither task ends for
    `patience` seconds, `CourseError` when the cluster fails or has room for one task only.
    """
    one_of("what the producer does after an error", retry, PRODUCERS)
    one_of("when the position is saved", position, POSITIONS)
    one_of("what an update does", update, UPDATES)
    whole("the number of records", records, least=1, most=999_999)
    spark = cluster() if spark is None else checked_session(spark)
    if spark.sparkContext.defaultParallelism < 2:
        raise CourseError("The cluster runs one task at a time; producer and consumer need two. Call cluster(slots=2).")
    plans = sending or FaultPlan(), receiving or FaultPlan()
    started = time.perf_counter()
    run = RunFolder.make("delivery")
    folder = run.path
    try:
        with open_log(f"sqlite:{folder}", brokers=1) as log:
            log.create_topic(TOPIC)
        handlers = PRODUCERS[retry], consumer(position, update, BATCH)
        parcels = [
            (side, str(folder), pack(handler), plan, records, sys.path)
            for side, handler, plan in zip(("producer", "consumer"), handlers, plans, strict=True)
        ]
        remedy = "Give fewer records, or more patience; another job may hold the cluster's places."
        await_all(SparkTask(spark, parcels, live_sides), "producer and consumer", remedy, patience)
        predicted = predict(*plans, retry, position, records, BATCH)
        found, held, back = counted(folder, records, update)
        return Delivered(
            retry, position, update, found, predicted, held, right(records, update), back,
            deaths(folder), time.perf_counter() - started,
        )  # fmt: skip
    finally:
        run.remove()


def delivery_table(records=2_000, seed=1, update="add", spark=None, progress=None, **counts):
    """Run all four settings under the same misfortunes, drawn by `seed`. Returns a DataFrame, a row for each.

    `counts` go to `misfortunes`: requests, replies, deaths. `progress`, if given, is called with the number of runs
    that have ended. Raises as `deliver_on_cluster` does.
    """
    effect = {"add": "database.increment", "overwrite": "register.cas"}[one_of("what an update does", update, UPDATES)]
    plans, rows = misfortunes(records, seed, effect=effect, **counts), []
    for retry in PRODUCERS:
        for position in ("last", "first"):
            rows.append(deliver_on_cluster(retry, position, update, *plans, records, spark).row)
            if progress:
                progress(len(rows))
    table = pandas.DataFrame(rows, columns=COLUMNS)
    return table.drop(columns="old values back") if update == "add" else table


def live_sides(parcels):
    """Live one life of a producer or a consumer, in a worker. One that gives up fails its task: Spark tries again."""
    for side, folder, handler, plan, records, path in parcels:
        sys.path += [place for place in path if place not in sys.path]
        found_here(folder)  # the run may be over: what is written then, nobody removes
        ground = {"producer": Sending, "consumer": Taking}[side](folder, plan, records, KEYS)
        with contextlib.suppress(InputsEnded):
            unpack(handler)(Client(ground))
        ground.close()
        yield "ended", [side]


def counted(folder, records, update):
    """Return (what is in the log and in the effects, what each key holds, how often an old value came back)."""
    with open_log(f"sqlite:{folder}", brokers=None) as log:
        numbers, offset = [], 0
        while found := log.fetch(TOPIC, 0, offset):
            numbers += [record.value for record in found]
            offset = found[-1].offset + 1
    with contextlib.closing(effects_of(folder)) as effects:
        applied = effects.execute("SELECT record, key FROM effects ORDER BY place").fetchall()
        held = dict(effects.execute("SELECT key, number FROM held"))
    back = backward(applied) if update == "overwrite" else ()
    return Counted(records, tuple(numbers), tuple(number for number, _ in applied)), held, len(back)


def right(records, update):
    """Return what each key should hold in the end: how many records, or the newest."""
    found = {}
    for number in range(1, records + 1):
        key = key_of(number, KEYS)
        found[key] = found.get(key, 0) + 1 if update == "add" else number
    return found


def deaths(folder):
    """Return how many processes died on the way: all lives but the two that came to the end."""
    return len(list(folder.glob("life-*"))) - 2
