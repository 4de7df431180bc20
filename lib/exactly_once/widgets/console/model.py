"""The crash console without its screen: what is chosen, what runs, what came of it. It needs no notebook."""

from dataclasses import dataclass, replace

from ...errors import BadInput, CourseError, one_of
from ...faults import POINTS, FaultPlan
from ...handlers import STRATEGIES
from ...node.live import checked_handler
from ...pipeline import Job
from ..base.error_view import ErrorView
from ..base.model import BackgroundWork, BaseState
from .choices import OWN, Choices, row_choice, row_title
from .runs import fill_matrix, live_run, one_run
from .worlds import Stopped, Worlds

WORLDS = ("simulated", "cluster")
PATIENCE_SECONDS = {"simulated": 1.0, "cluster": 12.0, "fill": 12.0, "live": 20.0}


@dataclass(frozen=True)
class State(BaseState):
    """All that a screen needs to know. It is replaced as a whole, so that a reader never sees half a change."""

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


class ConsoleModel(BackgroundWork):
    """The crash console's choices, runs and results.

    `handler` is the learner's own, or None; `strategy` what is chosen at first when there is none; `job` a `Job` (6
    hours by default); `worlds` runs things; `changed` is called after each change of `state`, from any thread.
    Raises `BadInput` for a handler that cannot be called with one argument, an unknown strategy, or what is no job.
    """

    what = "The console"
    needs_fields = ("simulate", "cluster", "take_over", "fill", "live")

    def __init__(self, handler=None, strategy="at_least_once", job=None, worlds=None, changed=None):
        if handler is not None:
            checked_handler(handler)
        if job is not None and not isinstance(job, Job):
            raise BadInput(f"The job is {job!r}; give a Job, such as Job(items=6).")
        one_of("the strategy", strategy, STRATEGIES)
        self.own, self.worlds = handler, worlds or Worlds()
        job = job or Job()
        choices = Choices(OWN if handler else strategy, item=min(3, job.items or 3))
        rows = (*([OWN] if handler else []), *STRATEGIES)
        super().__init__(State(choices, job, rows=rows, results={}), changed)

    # -- what a learner does ---------------------------------------------------------------------------------------

    def actions(self):
        """Return the actions that `do` knows, by name."""
        chosen = {name: lambda value, name=name: self.choose(name, value) for name in Choices.__dataclass_fields__}
        return chosen | {
            "world": lambda value: self.update(world=one_of("the world", value, WORLDS)),
            "simulate": lambda _: self.run("simulated"),
            "cluster": lambda _: self.run("cluster"),
            "take_over": lambda _: self.run("cluster", take_over=True),
            "fill": lambda _: self.begin_run("fill", lambda work: fill_matrix(self, work)),
            "cell": self.cell,
            "replay": self.replay,
            "live": lambda _: self.begin_run("live", lambda work: live_run(self, work)),
            "arm": self.arm,
            "kill_now": lambda _: self.order("kill_now", self.state.choices.kill),
            "pace": self.set_pace,
            "stop": lambda _: self.stop(),
        }

    def choose(self, name, value):
        """Change one of the choices. Raises `BadInput` for a value that makes no sense; the choice stays as it
        was.
        """
        with self.lock:
            choices = self.state.choices.choose(name, value, self.state.job.items, self.own)
            if name == "order":
                choices = choices.choose("strategy", "order", self.state.job.items, self.own)
            rows = self.state.rows if choices.row in self.state.rows else (*self.state.rows, choices.row)
            self.update(choices=choices, rows=rows, error=None)
            self.put_right(name)

    def run(self, world, take_over=False):
        """Run what is chosen in one of the two worlds."""
        choices = self.state.choices
        self.begin_run(world, lambda work: one_run(self, work, world, choices, choices.plan(), take_over))

    def cell(self, value):
        """Go to a cell of the matrix: show what it came to, or run it when it was not run."""
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
            self.update(verdict=found, shown=self.state.choices, status="", error=None)

    def replay(self, token):
        """Run the fault plan of a token, simulated, with the handler that is chosen."""
        plan = FaultPlan.parse(token)
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
            ):
                self.choose(name, value)
        choices = self.state.choices
        self.begin_run("simulated", lambda work: one_run(self, work, "simulated", choices, plan))

    def arm(self, point):
        """Arm a crash point of the live run, or take it back when it is the one that is armed."""
        one_of("the crash point", point, POINTS)
        if point == self.state.armed:
            self.order("disarm")
        else:
            self.order("arm", point, self.state.choices.kill)

    def set_pace(self, seconds):
        """Set the pause between the steps of a live run, in seconds."""
        try:
            pace = float(seconds)
        except (TypeError, ValueError):
            raise BadInput(f"The pace is {seconds!r}; give the pause between two steps in seconds, 0 to 2.") from None
        if not 0 <= pace <= 2:
            raise BadInput(f"The pace is {pace:g}; give the pause between two steps in seconds, 0 to 2.")
        self.update(pace=pace)
        if self.state.busy == "live":
            self.order("set_pace", pace)

    def order(self, *order):
        """Send an order to the live run. Raises `BadInput` when none runs."""
        work = self.work
        if self.state.busy != "live" or work is None:
            raise BadInput("No live run is on; click Live first.")
        work.order(*order)

    # -- work ------------------------------------------------------------------------------------------------------

    def begin_run(self, kind, task):
        """Start work in a thread of its own, unless other work is under way."""
        busy = "live" if kind == "live" else "running"
        self.begin(kind, task, busy, quiet=kind == "simulated", progress=None, armed=None)

    def stop(self):
        """Ask what runs to stop; what does not stop in time is left behind, so that the console is free again."""
        super().stop(status="Stopping …")

    def patience(self, work):
        """Return how long work that was asked to stop may take: a cluster that starts is not waited for."""
        return 0.0 if _starting(work) else PATIENCE_SECONDS[work.kind]

    def interrupt(self, work):
        """End what a simulated run does in its child process."""
        if work.kind == "simulated" or (work.kind == "fill" and self.state.world == "simulated"):
            self.worlds.interrupt(work.thread)

    def overdue(self, work):
        """Leave behind what does not stop."""
        what = "The cluster goes on starting by itself." if _starting(work) else "It was left behind."
        self.leave_behind(work, status=f"Stopped. {what}", progress=None, armed=None)

    def failed(self, why, work):
        """Show what work raised, unless that is how it was interrupted: a child process that was ended may fail
        anyhow.
        """
        interrupted = work.stopped() and (work.kind in ("simulated", "fill") or isinstance(why, CourseError))
        if not (isinstance(why, Stopped) or interrupted):
            self.fail(why)

    def at_end(self, work):
        """Return what changes in the state when work has ended."""
        status = "Stopped." if work.stopped() else self.state.status if not self.state.error else ""
        return {"status": status, "progress": None, "armed": None}

    # -- what came of it -------------------------------------------------------------------------------------------

    def record(self, world, choices, point, verdict):
        """Keep the result of a cell."""
        with self.lock:
            results = {**self.state.results, (world, *choices.cell(point)): verdict}
            self.state = replace(self.state, results=results)

    def result(self, row, point):
        """Return the verdict of a cell under the present choices, or None when it was not run."""
        state = self.state
        return state.results.get(
            (state.world, row, point, state.choices.item, state.choices.kill, state.choices.attempts)
        )

    def matrix(self):
        """Return (rows, results) of the matrix under the present choices, as `show.matrix_html` takes them."""
        rows = [(row, row_title(row, self.own)) for row in self.state.rows]
        found = {(row, point): self.result(row, point) for row, _ in rows for point in POINTS}
        return rows, {key: verdict for key, verdict in found.items() if verdict is not None}

    def handler(self, choices=None):
        """Return the handler that is chosen."""
        return (choices or self.state.choices).handler(self.own)

    def view_of(self, why):
        """Return an error as the console shows it, with an offer where another notebook has the cluster."""
        return ErrorView.of(why, self.worlds.is_busy_elsewhere(why), self.what)


def _starting(work):
    return "starting" in getattr(work, "phase", "")
