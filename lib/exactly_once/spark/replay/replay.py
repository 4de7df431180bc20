"""The same schedule on the cluster: a counterexample that was explored, with real processes and real SIGKILLs.

Each node is a task, and each step waits at a gate, so that real lives do what the token says and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from ...errors import CourseError, whole
from ...explore import replay as perform
from ...pipeline.case import Handlers, programs_of
from ...simulate.decision import ARRIVAL, OPTION
from ...simulate.replay import STRIKES
from ...trace.events import life_name
from ...verdict import Run
from ..run.tasks import Prepared, in_turn, with_slots
from .gate import Part, ScheduleGate, Turn, replay_part

if TYPE_CHECKING:
    from pyspark.sql import SparkSession  # at run time it is imported when a cluster is needed


def replay_on_cluster(
    token: str, handler: Handlers, spark: SparkSession | None = None, patience: float = 30.0
) -> Run:
    """Carry out the schedule of a token on the cluster and return its `Run`.

    `handler` is what was given to `prove`. A crash is a SIGKILL of the worker at the same step of the same life, and
    Spark's retry is the next life; a life that sleeps is a process that waits, while another takes over. There is a
    task for each node and each pause, and all run at once; without `spark` the cluster gets as many slots as they
    need.

    Raises `BadInput` for a token that was mistyped, is for another handler, or needs more tasks at once than the
    cluster has slots; `HandlerStuck` when no step is taken for `patience` seconds; `CourseError` when the handler
    does not follow the schedule there, or the cluster fails.
    """
    return replay_many([(token, handler)], spark, patience=patience)[0]


def replay_many(
    cases: Iterable[tuple[str, Handlers]],
    spark: SparkSession | None = None,
    progress: Callable[[int], object] | None = None,
    patience: float = 30.0,
) -> list[Run]:
    """Carry out the schedules of many (token, handler) and return their `Run`s, in order.

    Those that need one task each share a Spark job; each of the others has a job of its own.

    `progress`, if given, is called with the number of runs that have ended, now and then. Raises as
    `replay_on_cluster` does.
    """
    performances = [(perform(token, handler), handler) for token, handler in cases]
    whole("the number of runs", len(performances), least=1)
    parts = [parts_of(performance) for performance, _ in performances]
    spark = with_slots(spark, max(map(len, parts)))
    prepared = [Scheduled(*one, its) for one, its in zip(performances, parts, strict=True)]
    return in_turn(prepared, spark, progress, patience, replay_part)


class Scheduled(Prepared):
    """One run's folder, and a parcel for each of its parts."""

    def __init__(self, performance, handler, parts):
        programs = programs_of(handler, performance.run.job, parts[0].nodes)
        super().__init__(programs, performance.run.plan)
        self.parts, first = parts, self.parcels[0]
        self.parcels = [(replace(first, task=part.number, node=part.node + 1), part) for part in parts]

    def run(self):
        """Read the run out of its folder. Raises `CourseError` when the schedule was not carried out to its end."""
        gate = ScheduleGate(self.folder, self.parts[0].turns)
        if sentence := gate.why_astray():
            raise CourseError(sentence)
        if not gate.over():
            raise CourseError(
                f"Only {gate.passed()} of {len(gate.turns)} decisions of the schedule were carried out on "
                "the cluster: a process was killed from outside, or the handler ended early there. Replay it again."
            )
        if self.network is not None:  # what has not arrived by now never does
            self.network.close()
            self.network = None
        return super().run()


def parts_of(performance):
    """Return what each task plays of a schedule that was performed, as a list of `Part`s."""
    trace = performance.run.trace
    node_of = {event.life: event.detail["node"] for event in trace.lives()}
    turns = tuple(_turns(performance))
    last, asleep = {}, {}
    for number, turn in enumerate(turns):
        last[turn.life] = number
        if turn.fault is not None and turn.fault.kind == "pause":
            asleep.setdefault(turn.life, number)
    casts, newest = [], {}  # the lives of each part; the newest life and the part of each node
    for life, node in sorted(node_of.items()):
        before, part = newest.get(node, (None, None))
        if before is None or before in asleep:
            part = len(casts)
            casts.append((node, []))
        born = 0 if before is None else asleep.get(before, last.get(before, -1)) + 1
        casts[part][1].append((life, None if before in asleep else before, born))
        newest[node] = life, part
    nodes = len(set(node_of.values()))
    return [Part(number, node, turns, tuple(lives), nodes) for number, (node, lives) in enumerate(casts)]


def _turns(performance):
    """Yield a `Turn` for each decision of a schedule that was performed."""
    texts, struck = _texts(performance.run.trace), iter(enumerate(performance.run.plan.faults))
    for decision, (life, step) in zip(performance.schedule, performance.steps, strict=True):
        if decision.kind == ARRIVAL:
            yield Turn(0, arrival=decision.option, sender=decision.actor)
        elif decision.kind == OPTION:
            yield Turn(life, option=decision.option)
        elif decision.kind in STRIKES:
            number, fault = next(struck)
            yield Turn(life, key=f"{number}.{life}", fault=fault, sender=decision.option)
        else:
            yield Turn(life, texts.get((life, step), ""), sender=decision.option)


def _texts(trace):
    """Return what each step says, by (life, step); a choice says what came of it, and is left out."""
    texts = {}
    for event in trace:
        if event.process == life_name(event.life) and event.verb not in (
            "start",
            "reply",
            "fault",
            "wakes",
            "dies",
            "ends",
        ):
            texts.setdefault((event.life, event.step), "" if event.verb == "choose" else event.text)
    return texts
