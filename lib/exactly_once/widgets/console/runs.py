"""The choices of the crash console, and their runs."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ...errors import BadInput, CourseError, is_whole, number_in, one_of, whole
from ...faults import KILLS, POINTS, FaultPlan
from ...handlers import ARTICLE_ORDER, ORDERS, STRATEGIES, handler_in_order
from ...node.program import deployment_of
from ...sandbox import pool as sandbox
from ...simulate import simulate
from ...simulate.places import places
from ...verdict import ideal_outcomes, judge
from ...verdict.words import SIGNS, word
from ..base.model import OnCluster, Stopped, Work, typed_number

ORDER = "order"
OWN = "own"
NO_POINT = "none"
ATTEMPTS = {1: "first attempt", 2: "first two", 3: "first three"}
DEPLOYED = {name: found for name, handler in STRATEGIES.items() if (found := deployment_of(handler))}
# strategies with letters in the second node, too
WITH_SINK = [name for name, found in DEPLOYED.items() if found.queue or found.feeds]
ROWS = [*STRATEGIES, *(f"{name}:2" for name in WITH_SINK)]


@dataclass(frozen=True)
class Choices:
    """One setting of the console's controls.

    `strategy` is a name of `STRATEGIES`, "order" (then `order` counts) or "own" (the learner's handler); `point` is
    A–E or "none"; `item` an hour from 1; `kill` "worker" or "executor"; `attempts` the number of incarnations that
    die there, 1 to 3; `node` the node that dies, 2 for the sink of a strategy that has one.
    """

    strategy: str = "at_least_once"
    order: tuple = ARTICLE_ORDER
    point: str = "B"
    item: int = 3
    kill: str = "worker"
    attempts: int = 1
    node: int = 1

    @property
    def row(self) -> Any:
        """The row of the matrix that these choices belong to."""
        if self.strategy == ORDER:
            return f"order:{','.join(self.order)}"
        return self.strategy if self.node == 1 else f"{self.strategy}:{self.node}"

    @property
    def struck(self) -> Any:
        """The node that faults strike, from 1 on, or None where only one node has places for faults."""
        return self.node if self.strategy in WITH_SINK else None

    def repeated(self, plan: FaultPlan) -> FaultPlan:
        """Return a plan of one fault for as many incarnations as are chosen.

        Where there are several nodes, the numbers of one node's incarnations are unknown beforehand: the fault is
        repeated.
        """
        (fault,) = plan.faults
        if self.attempts == 1:
            return plan
        deployed = DEPLOYED.get(self.strategy)
        if deployed and deployed.beside:
            return FaultPlan((fault,) * self.attempts)
        return FaultPlan((replace(fault, lives=tuple(range(1, self.attempts + 1))),))

    def plan(self, point=None):
        """Return the fault plan of these choices; `point` replaces the chosen point."""
        point = point or self.point
        if point == NO_POINT:
            return FaultPlan()
        return self.repeated(FaultPlan.crash(point, self.item, self.kill, node=self.struck))

    def cell(self, point: str | None = None) -> tuple[Any, ...]:
        """Return the key of a cell's result: the row, the point, and the other choices on which it depends."""
        return (self.row, point or self.point, self.item, self.kill, self.attempts)

    def handler(self, own=None):
        """Return the chosen handler. `own` is the learner's, if there is one."""
        if self.strategy == OWN:
            return own
        if self.strategy == ORDER:
            return handler_in_order(self.order)
        return STRATEGIES[self.strategy]

    def listed(self, own=None):
        """Return the listed function: the handler, or the function of the second node."""
        return self.handler(own) if self.node == 1 else DEPLOYED[self.strategy].beside

    def choose(self, name, value, items, own=None):
        """Return the choices with one of them changed. Raises `BadInput` naming a value that makes no sense.

        `items` is the number of hours of the job (None: no limit); `own` is the learner's handler, if there is one.
        """
        if name == "node":
            return replace(self, node=whole("the node", number_in(value), least=1, most=1 + bool(self.struck)))
        changed = {name: _CHECKS[name](value, items, own)}
        return replace(self, **changed, **({"node": 1} if name == "strategy" else {}))

    def in_row(self, row: str) -> "Choices":
        """Return the choices for another row of the matrix, the rest as it is."""
        choices = self
        for name, value in row_choice(row).items():
            choices = choices.choose(name, value, None, own=True)
        return choices


def row_title(row: str, own: Any = None) -> str:
    """Return the title of a row of the matrix."""
    if row == OWN:
        return f"{getattr(own, '__name__', 'my handler')} (mine)"
    if row.startswith("order:"):
        return " → ".join(row.removeprefix("order:").split(","))
    strategy, _, node = row.partition(":")
    return strategy.replace("_", " ") + (", second node" if node else "")


def row_choice(row: str) -> dict[str, str]:
    """Return {"strategy": …} and, for an order, {"order": …}, for a second node {"node": …} of a matrix row."""
    if row.startswith("order:"):
        return {"strategy": ORDER, "order": row.removeprefix("order:")}
    strategy, _, node = row.partition(":")
    return {"strategy": strategy, **({"node": node} if node else {})}


def _order(value: Any, *_: int | None) -> tuple[str, str, str, str]:
    order = tuple(value.split(",")) if isinstance(value, str) else tuple(value)
    if order not in ORDERS:
        given, names = ",".join(map(str, order)), ", ".join(ARTICLE_ORDER)
        raise BadInput(f"The order is {given!r}; it names each of {names} once.")
    return order


def _attempts(value: Any, *_: int | None) -> int:
    number = number_in(value)
    return whole("the number of attempts that die", value if number is None else number, least=1, most=max(ATTEMPTS))


_CHECKS = {  # functions of a value, the number of hours, and the learner's handler
    "strategy": lambda value, _, own: one_of("the strategy", value, [*STRATEGIES, ORDER, *([OWN] if own else [])]),
    "order": _order,
    "point": lambda value, *_: one_of("the crash point", value, [*POINTS, NO_POINT]),
    "item": lambda value, items, _: typed_number("item", "The hour of the crash", value, most=items),
    "kill": lambda value, *_: one_of("what dies", value, KILLS),
    "attempts": _attempts,
}


SANDBOX_SECONDS = 5.0
BATCH = 5  # runs in one job of the cluster
SNAPSHOT_SECONDS = 0.25
AHEAD_SECONDS = 0.05
DRAWN = 10  # times as long as a drawing of what was run ahead takes: so long the next one waits
CHUNK = 8  # runs in one call of the child process, after the first
PAUSE_SECONDS = 0.001  # between two runs ahead, so that the kernel answers other requests meanwhile


class Worlds(OnCluster):
    """The two worlds, behind one interface, so that the console's model can be tested with others."""

    def places(self, handler, job, trusted, node=None):
        """Return {kind of fault: the `Place`s where it can strike a node} of a run without any fault."""
        return places(handler, job, node) if trusted else sandbox.call(places, handler, job, seconds=SANDBOX_SECONDS)

    def strikes(self, handler, plans, job, trusted, ideals=None):
        """Return the `Verdict`s of simulated runs under several plans; `ideals` saves computing them again.

        A handler that is not the library's runs in a child process.
        """
        if trusted:
            return [judge(simulate(handler, plan, job), handler, ideals) for plan in plans]
        return sandbox.call(sandbox.verdicts_on, handler, plans, job, seconds=SANDBOX_SECONDS)

    def run(self, world, case, work, told, take_over=False):
        """Return the `Verdict` of one (handler, plan, job, trusted) in one of the two worlds.

        `told` is called with a sentence for each stage. Raises `Stopped` when `work` is to stop.
        """
        if world == "cluster":
            self.ready(work, told, take_over)
            told("Running on the cluster …")
        (verdict,) = self.runs(world, [case], work)
        if work.stopped() or work.left_behind:
            raise Stopped
        return verdict

    def runs(self, world, cases, work, ended=lambda number: None):
        """Yield the `Verdict`s of many (handler, plan, job, trusted), in their order.

        `ended` is called with the number of runs that have ended. Raises `Stopped` when `work` is to stop.
        """
        alone = any(fault.kill == "executor" for _, plan, *_ in cases for fault in plan.faults)
        size = 1 if world == "simulated" or alone else BATCH
        for start in range(0, len(cases), size):
            if work.stopped():
                raise Stopped
            ended(start)
            batch = cases[start : start + size]
            if world == "simulated":
                ((handler, plan, job, trusted),) = batch
                yield from self.strikes(handler, [plan], job, trusted)
            else:
                yield from self.on_cluster(batch, work.stopped, lambda done, start=start: ended(start + done))

    def interrupt(self, thread: int) -> None:
        """End a thread's simulated run in the child process; the next run gets a new process."""
        sandbox.interrupt(thread)

    def on_cluster(self, cases, stopped, progress=None):
        """Return the `Verdict`s of many (handler, plan, job, trusted), run on the cluster.

        `stopped` is called now and then; once it returns true the runs are cancelled and `Stopped` is raised.
        `progress` is called with the number of runs that have ended.
        """
        from ...spark.run.tasks import run_many

        def watch(done):
            if stopped():
                raise Stopped
            if progress:
                progress(done)

        runs = run_many([case[:3] for case in cases], watch)
        ideals, verdicts = {}, []
        for run, (handler, _, job, trusted) in zip(runs, cases, strict=True):
            key = (id(handler), job)
            if key not in ideals and not run.error:
                right = ideal_outcomes if trusted else partial(sandbox.ideals, seconds=SANDBOX_SECONDS)
                ideals[key] = right(handler, job)
            verdicts.append(judge(run, handler, ideals.get(key)))
        return verdicts

    def live(self, handler, job, pace, node=1):
        """Return a live run on the cluster that has not started yet; `node` is the one to watch and to kill."""
        from ...spark.run.live import LiveRun

        return LiveRun(handler, job, pace, node)


def live_job(job: Any) -> Any:
    """Return the job of a live run: the same one, with the whole year of hours."""
    return replace(job, items=None)


@dataclass(eq=False)
class Strip:
    """All places of one handler for one kind of fault, and the verdicts that are known, by the place's index."""

    key: tuple
    handler: object
    job: object
    trusted: bool
    places: tuple
    plans: tuple
    listed: object = None  # the listed function
    verdicts: dict = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """True when the verdict of every place is known."""
        return len(self.verdicts) == len(self.places)

    def word(self, index: int) -> str:
        """Return the verdict's word of a place, "not run" where it is not known yet."""
        return word(self.verdicts.get(index))

    def counts(self) -> dict[str, int]:
        """Return {word: number of places}, in the order of the signs."""
        found = Counter(map(self.word, range(len(self.places))))
        return {name: found[name] for name in SIGNS if found[name]}

    def index_of(self, point: str, item: int) -> int | None:
        """Return the index of the place where a crash point stands in an hour, or None."""
        found = (n for n, place in enumerate(self.places) if (place.point, place.point_item) == (point, item))
        return next(found, None)

    def nearest(self, near: int) -> list[int]:
        """Return the indices of the places without a verdict, the nearest to `near` first."""
        left = set(range(len(self.places))) - set(self.verdicts)
        return sorted(left, key=lambda index: (abs(index - near), index))


class Scrubber:
    """The strips of one console, kept for each handler, kind of fault, killed process and number of deaths.

    `worlds` runs handlers. All methods may be called from any thread; one simulated run is under way at a time.
    """

    def __init__(self, worlds: Any, job: Any, own: Callable[..., Any] | None = None) -> None:
        self.worlds, self.job, self.own = worlds, job, own
        self._strips, self._ideals, self._ahead, self._asked = {}, {}, None, 0.0
        self._asking = threading.Lock()  # held while a thread waits for a verdict, so that the runs ahead wait
        self._running = threading.Lock()

    def strip(self, choices: Any, kind: str) -> Strip:
        """Return the `Strip` of these choices. Raises the errors of the handler's run without any fault."""
        key = (choices.row, kind, choices.kill, choices.attempts)
        if key not in self._strips:
            handler, trusted = choices.handler(self.own), choices.strategy != OWN
            with self._running:
                by_kind = self.worlds.places(handler, self.job, trusted, choices.struck)
                if trusted and choices.row not in self._ideals:
                    self._ideals[choices.row] = ideal_outcomes(handler, self.job)
            listed = choices.listed(self.own)
            for each, found in by_kind.items():
                plans = tuple(choices.repeated(place.plan(choices.kill)) for place in found)
                own = (key[0], each, *key[2:])
                self._strips.setdefault(own, Strip(own, handler, self.job, trusted, found, plans, listed))
        return self._strips[key]

    def known(self, choices: Any, kind: Any) -> Any:
        """Return the `Strip` of these choices if it is there already, or None."""
        return self._strips.get((choices.row, kind, choices.kill, choices.attempts))

    def verdict(self, strip: Strip, index: Any) -> Any:
        """Return the verdict of a fault at a place, run if it has none. Raises `BadInput` for no place."""
        if not is_whole(index) or not 0 <= index < len(strip.places):
            raise BadInput(f"The place is {index!r}; give a number from 0 to {len(strip.places) - 1}.")
        if index not in strip.verdicts:
            with self._asking:
                self._run(strip, [index])
        self._asked = time.monotonic()
        return strip.verdicts[index]

    def fill(self, strip: Strip, near: Callable[..., Any]) -> Iterator[Any]:
        """Run all remaining places, the nearest to `near()` first; yield the indices of new verdicts."""
        size = 1
        while not strip.done:
            self._let_pass()
            chosen = strip.nearest(near())[:size]
            self._run(strip, chosen)
            yield chosen
            size = 1 if strip.trusted else CHUNK

    def _let_pass(self) -> None:
        """Wait while a verdict is asked for, and until it is drawn."""
        with self._asking:
            pass
        time.sleep(max(PAUSE_SECONDS, self._asked + AHEAD_SECONDS - time.monotonic()))

    def look_ahead(self, choices, kind, near, told, failed):
        """Fill the strip of these choices in a thread, unless it is full or being filled; leave the one before.

        `near` is as in `fill`; `told` is called now and then, and at the end; `failed` with an error, unless it is
        the handler's, which the requested run reports.
        """
        strip = self.known(choices, kind)
        if strip is not None and (strip.done or strip is self._ahead):
            return
        self._ahead = strip

        def run(_):
            self._let_pass()
            strip = self._ahead = self.strip(choices, kind)
            due = 0.0
            for _ in self.fill(strip, near):
                if self._ahead is not strip:
                    return
                if (began := time.monotonic()) > due:
                    told()
                    due = time.monotonic() + DRAWN * (time.monotonic() - began)
            told()

        Work("ahead", run, lambda why, _: isinstance(why, CourseError) or failed(why), lambda _: None).start()

    def _run(self, strip: Strip, indices: list[int]) -> None:
        with self._running:
            left = [index for index in indices if index not in strip.verdicts]
            if not left:
                return
            plans, row = [strip.plans[index] for index in left], strip.key[0]
            found = self.worlds.strikes(strip.handler, plans, self.job, strip.trusted, self._ideals.get(row))
            strip.verdicts.update(zip(left, found, strict=True))


def snapshots(live: Any, work: Work, told: Callable[..., Any], failed: Callable[..., Any]) -> Iterator[Any]:
    """Yield a snapshot of a live run four times a second, until it ends or `work` is to stop.

    In between the learner's orders are carried out: `told` is called with a sentence on a kill, `failed` with the
    error of an order, and the live run goes on.
    """
    running = True
    while running and not work.stopped():
        for name, *arguments in work.orders(SNAPSHOT_SECONDS):
            try:
                done = getattr(live, name)(*arguments)
            except Exception as why:  # noqa: BLE001 - shown in the console; the run must not end by it
                failed(why)
                continue
            if name == "kill_now":
                killed = f"Killed at {time.strftime('%H:%M:%S')}."
                told(killed if done else "There was no incarnation to kill at this moment; try again.")
        shot = live.snapshot()
        yield shot
        running = shot.running
