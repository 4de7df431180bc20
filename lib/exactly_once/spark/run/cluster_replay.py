"""The same schedule on the cluster: a counterexample that was explored, with real processes and real SIGKILLs.

Each node is a task, and each step waits at a gate, so that real incarnations follow the token exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...errors import BadInput, CourseError, whole
from ...explore import replay
from ...node.world import Request
from ...pipeline import Handlers, programs_of
from ...simulate.replay import STRIKES
from ...simulate.schedule import ARRIVAL, OPTION, WITH_CRASH
from ...trace import Trace, life_name
from ...verdict import Run
from .gate import NodeScript, ScheduledStep, ScheduleGate, replay_script
from .tasks import Prepared, in_turn, with_slots


def replay_on_cluster(token: str, handler: Handlers, patience: float = 30.0) -> Run:
    """Carry out the schedule of a token on the cluster and return its `Run`.

    `handler` is the argument that `prove` got. A crash is a SIGKILL of the worker at the same step of the same
    incarnation, and Spark's retry is the next incarnation; an incarnation that sleeps is a process that waits, while
    another takes over. There is a task for each node and each pause, and all run at once; the cluster gets as many
    slots as they need.

    Raises `BadInput` for a token that was mistyped, is for another handler, needs more tasks at once than a cluster
    can have, or has a step that both a fault and the incarnation's death strike; `HandlerStuck` when no step is taken
    for `patience` seconds; `CourseError` when the handler does not follow the schedule there, or the cluster fails.
    """
    return replay_many([(token, handler)], patience)[0]


def replay_many(cases: Iterable[tuple[str, Handlers]], patience: float = 30.0) -> list[Run]:
    """Carry out the schedules of many (token, handler) and return their `Run`s, in order.

    Those that need one task each share a Spark job; each of the others has a job of its own. Raises as
    `replay_on_cluster` does.
    """
    replays = [(replay(token, handler), handler) for token, handler in cases]
    whole("the number of runs", len(replays), least=1)
    scripts = [scripts_of(replayed) for replayed, _ in replays]
    with_slots(max(map(len, scripts)))
    prepared = [Scheduled(*one, its) for one, its in zip(replays, scripts, strict=True)]
    return in_turn(prepared, None, patience, replay_script)


class Scheduled(Prepared):
    """One run's folder, and an input for each of its scripts."""

    def __init__(self, replayed: Any, handler: Handlers, scripts: Sequence[NodeScript]) -> None:
        programs = programs_of(handler, replayed.run.job, scripts[0].nodes)
        super().__init__(programs, replayed.run.plan)
        self.scripts, first = scripts, self.inputs[0]
        self.inputs = [(replace(first, task=script.number, node=script.node + 1), script) for script in scripts]

    def run(self) -> Run:
        """Read the run out of its folder. Raises `CourseError` when the schedule was not carried out to its end."""
        gate = ScheduleGate(self.folder, self.scripts[0].steps)
        if sentence := gate.why_diverged():
            raise CourseError(sentence)
        if not gate.over():
            raise CourseError(
                f"Only {gate.passed()} of {len(gate.steps)} decisions of the schedule were carried out on "
                "the cluster: a process was killed from outside, or the handler ended early there. Replay it again."
            )
        return super().run()

    def arrive(self, request: Request) -> None:
        """Do nothing: a request that has not arrived by now never does."""


def scripts_of(replayed: Any) -> list[NodeScript]:
    """Return the part of each task in a schedule that was replayed, as a list of `NodeScript`s."""
    trace = replayed.run.trace
    node_of = {event.life: event.detail["node"] for event in trace.lives()}
    steps = tuple(_scheduled_steps(replayed))
    last, asleep = {}, {}
    for number, step in enumerate(steps):
        last[step.life] = number
        if step.fault is not None and step.fault.kind == "pause":
            asleep.setdefault(step.life, number)
    scripts, newest = [], {}  # the incarnations of each script; the newest incarnation and the script of each node
    for life, node in sorted(node_of.items()):
        before, script = newest.get(node, (None, None))
        if before is None or before in asleep:
            script = len(scripts)
            scripts.append((node, []))
        start = 0 if before is None else asleep.get(before, last.get(before, -1)) + 1
        scripts[script][1].append((life, None if before in asleep else before, start))
        newest[node] = life, script
    nodes = len(set(node_of.values()))
    return [NodeScript(number, node, steps, tuple(lives), nodes) for number, (node, lives) in enumerate(scripts)]


def _scheduled_steps(replayed: Any) -> Iterator[ScheduledStep]:
    """Yield a `ScheduledStep` for each decision of a schedule that was replayed."""
    texts, struck = _texts(replayed.run.trace), iter(enumerate(replayed.run.plan.faults))
    for decision, (life, step) in zip(replayed.schedule, replayed.steps, strict=True):
        if decision.kind == ARRIVAL:
            yield ScheduledStep(0, arrival=decision.option, sender=decision.actor)
        elif decision.kind == OPTION:
            yield ScheduledStep(life, option=decision.option)
        elif decision.kind in WITH_CRASH:
            raise BadInput(
                "At one step of this schedule a fault strikes and the incarnation dies; no cluster does both."
            )
        elif decision.kind in STRIKES:
            number, fault = next(struck)
            yield ScheduledStep(life, key=f"{number}.{life}", fault=fault, sender=decision.option)
        else:
            yield ScheduledStep(life, texts.get((life, step), ""), sender=decision.option)


def _texts(trace: Trace) -> dict[tuple[int, int], str]:
    """Return the text of each step, by (life, step); a choice tells its own result, and is left out."""
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
