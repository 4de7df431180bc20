"""The crash console without its screen: choices, runs and their results; and the search for a schedule that fails."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ...errors import BadInput, CourseError, number_in, one_of
from ...explore.case import KINDS as FAULTS
from ...explore.case import Bounds
from ...faults import POINTS, FaultPlan
from ...handlers import STRATEGIES
from ...node.program import checked_handler
from ...pipeline import Job
from ...sandbox import pool as sandbox
from ...sandbox import prove_safely
from ...simulate.places import KINDS
from ...simulate.schedule import MOST_OF_EACH
from ..base.model import QUIET_SECONDS, BackgroundWork, BaseState, Stopped, WrongField, typed_number
from .runs import NO_POINT, OWN, ROWS, Choices, Scrubber, Worlds, live_job, row_choice, row_title, snapshots

GUESSES = ("harmless", "doubles", "loses", "corrupts")
LINK = "#console="  # in an address of the book, before a row of the matrix and a token
WORLDS = ("simulated", "cluster")
BOUNDS = {  # of a search: {name: (title, least, most)}
    "nodes": ("Nodes", 1, 4),
    "items": ("Items (hours)", 1, 24),
    **{kind: (kind.replace("_", " ").capitalize(), 0, MOST_OF_EACH) for kind in FAULTS},
    "seconds": ("Seconds at most", 1, 600),
}


@dataclass(frozen=True)
class State(BaseState):
    """The state of the screen. It is replaced as a whole, so that a reader never sees half a change.

    `kind` is the fault of the scrubber, and `place` the index of `verdict`'s place on its strip, or None; `replays`
    counts the tokens that were read. `guess` is the learner's guess for the next run, `said` the guess for `verdict`;
    `table` is True while the trace is shown as a table.
    """

    choices: Choices
    job: Job
    world: str = "simulated"
    progress: tuple | None = None
    verdict: object = None
    shown: Choices | None = None
    rows: tuple = ()
    results: dict | None = None
    armed: str | None = None
    last_line: int | None = None
    pace: float = 0.25
    live_life: int = 0
    kind: str = "crash"
    place: int | None = None
    guess: str | None = None
    said: str | None = None
    table: bool = False
    replays: int = 0


class ConsoleModel(BackgroundWork):
    """The crash console's choices, runs and results.

    `handler` is the learner's own, or None; `strategy` the first choice without a handler; `job` a `Job` (6 hours by
    default); `worlds` runs handlers. Raises `BadInput` for a handler that cannot be called with one argument, an
    unknown strategy, or an argument that is no job.
    """

    what, endings = "The console", {"simulated": 1.0, "cluster": 12.0, "fill": 12.0, "live": 20.0}
    needs_fields = ("simulate", "strike", "place", "cluster", "take_over", "fill", "live")

    def __init__(self, handler=None, strategy="at_least_once", job=None, worlds=None):
        if handler is not None:
            checked_handler(handler)
        if job is not None and not isinstance(job, Job):
            raise BadInput(f"The job is {job!r}; give a Job, such as Job(items=6).")
        one_of("the strategy", strategy, STRATEGIES)
        self.own, self.worlds = handler, worlds or Worlds()
        job = job or Job()
        choices = Choices(OWN if handler else strategy, item=min(3, job.items or 3))
        rows = (*([OWN] if handler else []), *ROWS)
        super().__init__(State(choices, job, rows=rows, results={}))
        self.scrubber = Scrubber(self.worlds, job, handler)

    # -- the actions of a learner ------------------------------------------------------------------------------------

    def actions(self) -> dict[str, Callable[..., Any]]:
        """Return the actions that `do` knows, by name."""
        chosen = {name: lambda value, name=name: self.choose(name, value) for name in Choices.__dataclass_fields__}
        return chosen | {
            "world": lambda value: self.update(world=one_of("the world", value, WORLDS)),
            "simulate": lambda _: self.simulate(),
            "strike": lambda value: self.strike("point", value),
            "hour": lambda value: self.strike("item", value),
            "earlier": lambda _: self.strike("item", max(self.state.choices.item - 1, 1)),
            "later": lambda _: self.strike("item", self.state.choices.item + 1),
            "kind": self.choose_kind,
            "place": self.scrub,
            "guess": self.take_guess,
            "table": lambda _: self.update(table=not self.state.table),
            "cluster": lambda _: self.run("cluster"),
            "take_over": lambda _: self.run("cluster", take_over=True),
            "fill": lambda _: self.begin_run("fill", self._fill),
            "cell": self.cell,
            "replay": self.replay,
            "live": lambda _: self.begin_run("live", self._live),
            "arm": self.arm,
            "kill_now": lambda _: self.kill_now(),
            "pace": self.set_pace,
            "stop": lambda _: self.stop(),
        }

    def do(self, action: str, value: Any = None) -> None:
        """Carry out one action; an unreadable token blocks no other action."""
        if action != "replay":
            self.put_right("replay")
        super().do(action, value)

    def choose(self, name: str, value: Any) -> None:
        """Change one of the choices. Raises `BadInput` for a value that makes no sense; the choice then stays."""
        with self.lock:
            choices = self.state.choices.choose(name, value, self.state.job.items, self.own)
            if name == "order":
                choices = choices.choose("strategy", "order", self.state.job.items, self.own)
            rows = self.state.rows if choices.row in self.state.rows else (*self.state.rows, choices.row)
            place = self.state.place if choices == self.state.choices else None
            self.update(choices=choices, rows=rows, error=None, place=place)
            self.put_right(name)
            if name in ("strategy", "order", "node"):
                self.prepare()

    def strike(self, name: str, value: Any) -> None:
        """Choose a crash point or an hour, and simulate that run at once.

        An hour is only chosen as long as this handler has no run: the learner may still guess.
        """
        if self.work is not None:
            return
        self.choose(name, value)
        if name == "point" or self.is_shown():
            self.simulate()

    def is_shown(self) -> bool:
        """Tell whether the verdict on the screen is of the chosen handler."""
        return self.state.shown is not None and self.state.shown.row == self.state.choices.row

    def simulate(self) -> None:
        """Simulate the chosen run. An earlier result is shown at once, a run of the library's own code nearly so."""
        choices, index = self.state.choices, None
        if choices.strategy != OWN:
            index = self.scrubber.strip(choices, "crash").index_of(choices.point, choices.item)
        if index is None:
            self.run("simulated")
        else:
            self.strike_place(choices, "crash", index)

    def scrub(self, value):
        """Let the fault strike at a place of the strip, by its index."""
        index, choices, kind = number_in(value), self.state.choices, self.state.kind
        strip = self.strip()
        if choices.strategy == OWN and (strip is None or index not in strip.verdicts):
            self.begin_run("simulated", lambda work: self.strike_place(choices, kind, index, work))
        else:
            self.strike_place(choices, kind, index)

    def strike_place(self, choices: Choices, kind: str, index: int, work: Any = None) -> None:
        """Show the verdict of a fault at a place, which `work` runs if any; the letter and the hour follow.

        Then run the other places ahead.
        """
        if self.work is not work:
            return
        strip = self.scrubber.strip(choices, kind)
        verdict, place = self.scrubber.verdict(strip, index), strip.places[index]
        if work is not None and (work.stopped() or work.left_behind):
            raise Stopped
        # The places before the first hour is read belong to the first hour.
        chosen = replace(choices, point=place.point or NO_POINT, item=place.point_item or place.item or 1)
        if place.point:
            self.record("simulated", chosen, place.point, verdict)
        said = self.said_of(chosen, index)
        self.show(verdict, chosen, said, work, world="simulated", choices=chosen, kind=kind, place=index, error=None)
        self.look_ahead()

    def show(self, verdict: Any, of: Choices, said: Any, work: Any = None, **changes: Any) -> None:
        """Show the verdict `of` some choices, beside what was `said` of it, and further changes of the state.

        With `work`, that work shows it, unless it was left behind.
        """
        at_rest = {"guess": None, "status": "", "last_line": None, "live_life": 0}
        shown = {"verdict": verdict, "shown": of, "said": said, **at_rest, **changes}
        if work is None:
            self.update(**shown)
        else:
            self.report(work, **shown)

    def said_of(self, chosen: Choices, place: int | None = None) -> Any:
        """Return the guess for a run: the new one, or the earlier one if the same run is on the screen."""
        state = self.state
        again = state.shown == chosen and (place is None or place == state.place)
        return state.guess or (state.said if again else None)

    def choose_kind(self, kind):
        """Choose the fault that strikes; show the place on the new strip that is nearest to the present one."""
        one_of("the fault", kind, KINDS)
        if self.work is not None:
            return
        before, at, hour = self.strip(), self.state.place, self.state.choices.item
        self.update(kind=kind, place=None, error=None)
        strip = self.strip()
        if strip is not None and strip.places and self.is_shown():
            of_hour = (place.step for place in strip.places if place.item == hour)
            step = next(of_hour, 1) if at is None else before.places[at].step
            self.scrub(min(range(len(strip.places)), key=lambda index: abs(strip.places[index].step - step)))

    def take_guess(self, word):
        """Keep the learner's guess for the next run; if this handler has no run yet, run it."""
        one_of("the guess", word, GUESSES)
        self.update(guess=None if word == self.state.guess else word, error=None)
        if self.state.guess and not self.is_shown():
            self.simulate()

    def look_ahead(self) -> None:
        """Run the remaining places of the strip in a thread, the nearest to the present one first."""
        state = self.state
        self.scrubber.look_ahead(state.choices, state.kind, lambda: self.state.place or 0, self.changed, self.fail)

    def prepare(self) -> None:
        """Find the places of a handler of the library ahead; a learner's own is left alone until its run."""
        if self.state.choices.strategy != OWN:
            with contextlib.suppress(CourseError):
                self.scrubber.strip(self.state.choices, self.state.kind)

    def place_in_sight(self) -> int:
        """Return the index of the place of the ✖: the shown place, or the place of the chosen letter; or -1."""
        index = self._place_of_letter() if self.state.place is None else self.state.place
        return -1 if index is None else index

    def strip(self) -> Any:
        """Return the `Strip` of the choices, or None as long as its places are not known."""
        return self.scrubber.known(self.state.choices, self.state.kind)

    def run(self, world: str, take_over: bool = False) -> None:
        """Run the choices in one of the two worlds: the shown place of the strip, or the crash point."""
        choices, plan = self.state.choices, self.plan()
        self.begin_run(world, lambda work: self._run(work, world, choices, plan, take_over))

    def plan(self) -> FaultPlan:
        """Return the fault plan of the choices."""
        state, strip = self.state, self.strip()
        if state.choices.point == NO_POINT and state.place is not None and strip is not None and self.is_shown():
            return strip.plans[state.place]
        return state.choices.plan()

    def cell(self, value: Any) -> None:
        """Go to a cell of the matrix: show its result, or run the cell when it has none."""
        row, _, point = str(value).rpartition("|")
        if row not in self.state.rows or point not in POINTS:
            raise BadInput(f"{value!r} is no cell of the matrix.")
        if self.work is not None:
            return
        for name, chosen in row_choice(row).items():
            self.choose(name, chosen)
        self.choose("point", point)
        found = self.result(row, point)
        if found is None:
            self.run(self.state.world)
        else:
            self.show(found, self.state.choices, None, error=None, place=self._place_of_letter())

    def _place_of_letter(self) -> int | None:
        """Return the index of the chosen letter on the strip, or None: only crashes have letters."""
        choices, strip = self.state.choices, self.strip()
        return strip.index_of(choices.point, choices.item) if strip else None

    def replay(self, token):
        """Run the fault plan of a token, simulated, with the chosen handler.

        A link of the book, or the end of it, such as "lock_free/eo2-B3wn1-R869", names the row of the matrix, too.
        """
        row, _, code = str(token).rpartition(LINK)[2].strip().rpartition("/")
        try:
            if row:
                one_of("the strategy of the link", row, ROWS)
            plan = FaultPlan.parse(code)
        except BadInput as why:
            raise WrongField(str(why), "replay", str(token)) from None
        for name, value in row_choice(row).items() if row else ():
            self.choose(name, value)
        self.update(replays=self.state.replays + 1)
        fault = plan.faults[0] if len(plan.faults) == 1 else None
        lives = fault.lives if fault else None
        if not plan.faults:
            self.choose("point", "none")
        elif fault and fault.at in POINTS and fault.item and lives in (None, (1, 2), (1, 2, 3)):
            for name, value in (
                ("item", fault.item),
                ("point", fault.at),
                ("kill", fault.kill),
                ("attempts", len(lives or (1,))),
                ("node", fault.node if fault.node and self.state.choices.struck else 1),
            ):
                self.choose(name, value)
        choices = self.state.choices
        self.begin_run("simulated", lambda work: self._run(work, "simulated", choices, plan))

    def arm(self, point: str) -> None:
        """Arm a crash point of the live run, or disarm it when it is the armed one."""
        one_of("the crash point", point, POINTS)
        if point == self.state.armed:
            self.order("disarm")
        else:
            self.order("arm", point, self.state.choices.kill)

    def kill_now(self) -> None:
        """Have the live run's process killed at once. Raises `BadInput` when no process of it runs yet."""
        if self.state.busy == "live" and not self.state.live_life:
            raise BadInput("No process of the live run has begun yet; wait until the first hour is on the tape.")
        self.order("kill_now", self.state.choices.kill)

    def set_pace(self, seconds: str) -> None:
        """Set the pause between the steps of a live run, in seconds."""
        try:
            pace = float(seconds)
        except (TypeError, ValueError):
            pace = -1.0
        if not 0 <= pace <= 2:
            raise BadInput(f"The pace is {seconds!r}; give the pause between two steps in seconds, 0 to 2.")
        self.update(pace=pace)
        if self.state.busy == "live":
            self.order("set_pace", pace)

    def order(self, *order: Any) -> None:
        """Send an order to the live run. Raises `BadInput` when none runs."""
        work = self.work
        if self.state.busy != "live" or work is None:
            raise BadInput("No live run is on; click Live first.")
        work.order(*order)

    # -- work ------------------------------------------------------------------------------------------------------

    def begin_run(self, kind: str, task: Callable[..., Any]) -> None:
        """Start work in a thread of its own, unless other work is under way."""
        busy = "live" if kind == "live" else "running"
        self.begin(kind, task, busy, quiet=kind == "simulated", progress=None, armed=None)

    def case(self, choices: Choices, plan: FaultPlan) -> tuple[Callable[..., Any], FaultPlan, Job, bool]:
        """Return the (handler, plan, job, trusted) that the worlds run; the library's own handlers are trusted."""
        return self.handler(choices), plan, self.state.job, choices.strategy != OWN

    def _tells(self, work: Any) -> Callable[..., Any]:
        """Return a function that shows a sentence on the state of some work."""
        return lambda status: self.report(work, status=status)

    def _run(self, work: Any, world: str, choices: Choices, plan: FaultPlan, take_over: bool = False) -> None:
        """Run a fault plan in a world, and show its verdict; a simulated one at its place on the strip, too."""
        verdict = self.worlds.run(world, self.case(choices, plan), work, self._tells(work), take_over)
        if choices.point in POINTS and plan == choices.plan():
            self.record(world, choices, choices.point, verdict)
        self.show(verdict, choices, self.said_of(choices), work, world=world)
        if world == "simulated" and (verdict.run.error is None or choices.strategy == OWN):
            with contextlib.suppress(CourseError):
                strip = self.scrubber.strip(choices, "crash")
                index = strip.index_of(choices.point, choices.item)
                if index is not None and strip.plans[index] == plan:
                    strip.verdicts.setdefault(index, verdict)
                    self.report(work, kind="crash", place=index)
                self.look_ahead()

    def _fill(self, work: Any) -> None:
        """Run the cells of the matrix that have no result yet, or all of them when none is left."""
        state, tells = self.state, self._tells(work)
        cells = [(row, point) for row in state.rows for point in POINTS]
        left = [cell for cell in cells if self.result(*cell) is None] or cells
        before = len(cells) - len(left)

        def ended(number: int) -> None:
            progress = (before + number, len(cells))
            if self.state.progress != progress or not self.state.status.startswith("Filling"):
                self.report(work, progress=progress, status="Filling the matrix …")

        self.report(work, progress=(before, len(cells)))
        if state.world == "cluster":
            self.worlds.ready(work, tells)
        chosen = [(state.choices.in_row(row), point) for row, point in left]
        cases = [self.case(choices, choices.plan(point)) for choices, point in chosen]
        verdicts = self.worlds.runs(state.world, cases, work, ended)
        for (choices, point), verdict in zip(chosen, verdicts, strict=True):
            self.record(state.world, choices, point, verdict)
        where = "simulated" if state.world == "simulated" else "on the cluster"
        tells(f"The matrix is filled: {len(left)} runs, {where}.")

    def _live(self, work: Any) -> None:
        """Run the chosen handler on the cluster until it is stopped, and show it as it goes on."""
        choices, tells = self.state.choices, self._tells(work)
        self.worlds.ready(work, tells)
        tells("Starting a live run …")
        live = self.worlds.live(self.handler(choices), live_job(self.state.job), self.state.pace, choices.node)
        live.start()
        try:
            tells("Live on the cluster. Arm a letter, or kill at once.")
            for shot in snapshots(live, work, tells, self.fail):
                seen = {"armed": shot.armed, "last_line": shot.last_line, "live_life": shot.current_life}
                self.report(work, verdict=shot.verdict, shown=choices, **seen)
        finally:
            tells("Stopping the live run …")
            verdict = live.stop()
        self.report(work, verdict=verdict, shown=choices, live_life=0)
        if not work.stopped():
            tells("The live run has ended by itself.")

    def stop(self):
        """Ask the present work to stop; work that does not stop in time is left behind."""
        super().stop(status="Stopping …")

    def interrupt(self, work: Any) -> None:
        """End a simulated run in its child process."""
        if work.kind == "simulated" or (work.kind == "fill" and self.state.world == "simulated"):
            self.worlds.interrupt(work.thread)

    def overdue(self, work: Any) -> None:
        """Leave behind work that did not stop."""
        what = "The cluster goes on starting by itself." if work.phase == "starting" else "It was left behind."
        self.leave_behind(work, status=f"Stopped. {what}", progress=None, armed=None)

    def failed(self, why: Any, work: Any) -> None:
        """Show the error that work raised, unless it comes from the interruption of its child process."""
        interrupted = work.stopped() and (work.kind in ("simulated", "fill") or isinstance(why, CourseError))
        if not interrupted:
            super().failed(why, work)

    def at_end(self, work: Any) -> dict[str, Any]:
        """Return the changes of the state at the end of work."""
        status = "Stopped." if work.stopped() else self.state.status if not self.state.error else ""
        return {"status": status, "progress": None, "armed": None}

    # -- results -----------------------------------------------------------------------------------------------------

    def record(self, world: str, choices: Choices, point: str, verdict: Any) -> None:
        """Keep the result of a cell."""
        with self.lock:
            results = {**self.state.results, (world, *choices.cell(point)): verdict}
            self.state = replace(self.state, results=results)

    def result(self, row: str, point: str) -> Any:
        """Return the verdict of a cell under the present choices, or None when it was not run."""
        state, chosen = self.state, self.state.choices
        return state.results.get((state.world, row, point, chosen.item, chosen.kill, chosen.attempts))

    def matrix(self) -> tuple[Any, ...]:
        """Return (rows, results) of the matrix under the present choices, as `show.matrix_html` takes them."""
        rows = [(row, row_title(row, self.own)) for row in self.state.rows]
        found = {(row, point): self.result(row, point) for row, _ in rows for point in POINTS}
        return rows, {key: verdict for key, verdict in found.items() if verdict is not None}

    def handler(self, choices: Choices | None = None) -> Callable[..., Any]:
        """Return the chosen handler."""
        return (choices or self.state.choices).handler(self.own)


@dataclass(frozen=True)
class ProveState(BaseState):
    """The state of the screen. It is replaced as a whole, so that a reader never sees half a change.

    `handler` is that of `proof`; `elapsed` are the seconds since the search began, `states` is the number of states
    explored by then.
    """

    bounds: Bounds = field(default_factory=Bounds)
    seconds: int = 60
    states: int = 0
    elapsed: float = 0.0
    proof: object = None
    handler: object = None


class ProveModel(BackgroundWork):
    """The chosen bounds and the search.

    `chosen` returns the handler to prove; `job` gives window and threshold, the bounds give the number of hours.
    """

    what = "The prover"
    needs_fields = ("prove",)

    def __init__(self, chosen, job=None, prover=prove_safely):
        self.chosen, self.job, self.prover = chosen, job or Job(), prover
        super().__init__(ProveState())

    def actions(self) -> dict[str, Callable[..., Any]]:
        """Return the actions that `do` knows, by name."""
        chosen = {name: lambda value, name=name: self.choose(name, value) for name in BOUNDS}
        return chosen | {"prove": lambda _: self.prove(), "stop_proof": lambda _: self.stop()}

    def choose(self, name: str, value: Any) -> None:
        """Change one of the bounds. Raises `WrongField` for a value that makes no sense; the bound then stays."""
        title, least, most = BOUNDS[name]
        number = typed_number(name, title, value, least, most)
        if name == "seconds":
            self.update(seconds=number)
        else:
            self.update(bounds=replace(self.state.bounds, **{name: number}))

    def prove(self) -> None:
        """Begin to search, in the child process, unless a search is under way."""
        self.begin("prove", self._search, quiet=True, states=0, elapsed=0.0, status="")

    def _search(self, work: Any) -> None:
        handler, bounds = self.chosen(), self.state.bounds
        began = time.perf_counter()

        def go_on() -> bool:
            elapsed = time.perf_counter() - began
            if elapsed > QUIET_SECONDS:
                self.report(work, elapsed=elapsed)
            return work.stopped()

        proof = self.prover(
            handler,
            job=replace(self.job, items=bounds.items),
            seconds=self.state.seconds,
            progress=lambda states: self.report(work, states=states, elapsed=time.perf_counter() - began),
            stopped=go_on,
            **{name: number for name, number in asdict(bounds).items() if name != "items"},
        )
        self._found = {"proof": proof, "handler": handler}

    def overdue(self, work):
        """End a handler that makes no progress, with its process."""
        sandbox.interrupt(work.thread)

    def failed(self, why: Any, work: Any) -> None:
        """Show the error that the search raised; there is no proof then."""
        self._found = {"proof": None}
        if not work.stopped():
            self.fail(why)

    def at_end(self, work: Any) -> dict[Any, Any]:
        """Return the result of the search, or the way it was ended."""
        ended = "Stopped: the handler did not get to its next step in time, so its process was ended."
        return self._found | ({"status": ended} if self._found["proof"] is None and work.stopped() else {})
