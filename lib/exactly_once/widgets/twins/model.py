"""The Twins console without its screen: the run on the cluster, the learner's orders, the results."""

from dataclasses import dataclass

from ...errors import BadInput, CourseError, number_in, one_of, whole
from ...pipeline import Job
from ..base.cluster import OnCluster, Stopped
from ..base.error_view import ErrorView
from ..base.model import BackgroundWork, BaseState
from .one_node import OneNode, measure
from .reading import NOW, POINTS, hours_of, strikes

PACES = (0.5, 1, 2, 4, 8, 16)  # hours a second, for the slider
MOST = 3
LOOK_SECONDS = 0.2  # between two pictures
PATIENCE_SECONDS = 60.0  # for the end: the nodes finish what has arrived
ORDERS = ("kill", "stop", "resume", "disarm", "add")


@dataclass(frozen=True, kw_only=True)
class TwinsConsoleState(BaseState):
    """The state of the screen.

    `shot` is the newest `TwinsState` of the run, `result` the result of `end`. `pace` is in hours a second; `point`
    is the place of the next fault: "now", or a crash point. `newest` is the last hour in sight, or None to follow the
    run. `one` is the result of one node with Spark's retry under the same fault, a `OneNode`.
    """

    shot: object = None
    result: object = None
    pace: float = 2
    point: str = NOW
    newest: int | None = None
    one: OneNode | None = None


class TwinsWorlds(OnCluster):
    """The cluster behind one interface, so that the console's model can be tested with another."""

    slots = 4  # for three twins and the database's own node

    def twins(self, nodes, pace, job):
        """Return `Twins` that have not started yet; one node is no twin, and has Spark's retry alone."""
        from ...spark.run.twins import Twins

        return Twins(nodes=nodes, pace=pace, job=job, spark=self._spark)


class TwinsModel(BackgroundWork):
    """The Twins console's run and the learner's orders to it.

    `nodes` is the first number of twins, `job` gives window and threshold, `worlds` runs twins on the cluster.
    No process is started before `start`.
    """

    what = "The Twins console"

    def __init__(self, nodes=2, pace=2, job=None, worlds=None):
        self.nodes = whole("the number of twins", nodes, least=2, most=MOST)
        if job is not None and not isinstance(job, Job):
            raise BadInput(f"The job is {job!r}; give a Job, such as Job(duration=2, threshold=2).")
        self.job, self.worlds = job, worlds or TwinsWorlds()
        one_of("the pace in hours a second", pace, PACES)
        super().__init__(TwinsConsoleState(pace=pace))

    # -- the actions of a learner ----------------------------------------------------------------------------------

    def actions(self):
        """Return the actions that `do` knows, by name."""
        orders = {name: lambda value, name=name: self.order(name, value) for name in ORDERS}
        return orders | {
            "start": lambda _: self._begin("twins", self._run),
            "take_over": lambda _: self._begin("twins", lambda work: self._run(work, take_over=True)),
            "end": lambda _: self.end(),
            "pace": self.set_pace,
            "point": lambda value: self.update(point=one_of("where the fault strikes", value, POINTS)),
            "look": self.look,
            "fault": lambda _: self.look_at_fault(),
            "follow": lambda _: self.update(newest=None),
            "one": lambda _: self.ask_one(),
        }

    @property
    def is_live(self):
        """True while twins run."""
        return self.state.busy == "live"

    def order(self, name, value=None):
        """Have the twins' own thread carry out an order on a twin. Raises `BadInput` when no twins run."""
        if not self.is_live or self.work is None:
            raise BadInput("No twins are at work; start them first.")
        if name == "add":
            self.work.order("add")
            return
        number = whole("the number of the twin", number_in(value), least=1, most=len(self.state.shot.twins))
        if name in ("kill", "stop") and self.state.point != NOW:
            self.work.order("strike_at", number, self.state.point, name)
            self.update(point=NOW)
        else:
            self.work.order(name, number)

    def end(self):
        """Let the twins finish the arrived hours and stop; or stop other work that is under way."""
        self.stop(status="The twins finish what has arrived …" if self.is_live else "Stopping …")

    def set_pace(self, value):
        """Choose the number of hours that arrive in a second, by the number of the choice."""
        number = whole("the choice of the pace", number_in(value), least=0, most=len(PACES) - 1)
        self.update(pace=PACES[number])
        if self.is_live:
            self.work.order("set_pace", PACES[number])

    def look(self, value):
        """Show the hours up to this one; at the newest the picture follows again."""
        hours = hours_of(self.state.shot)
        if not hours:
            raise BadInput("There are no hours to look at yet; start the twins.")
        newest = whole("the last hour in sight", number_in(value))
        newest = max(hours[0], min(hours[-1], newest))
        self.update(newest=None if newest == hours[-1] else newest)

    def look_at_fault(self):
        """Show the hours around the newest fault."""
        strike = self.newest_fault()
        last = hours_of(self.state.shot)[-1]
        self.update(newest=strike.hour + 6 if strike.hour + 6 < last else None)

    def newest_fault(self):
        """Return the newest `Strike`. Raises `BadInput` when there was none in this run."""
        found = strikes(self.state.shot)
        if not found:
            raise BadInput("No twin was stopped or killed in this run; do that first.")
        return found[-1]

    def ask_one(self):
        """Measure one node with Spark's retry under the newest fault. Raises `BadInput` when there is none."""
        if self.is_live:
            raise BadInput("The one node needs the twins' slots: end the twins first, then measure it.")
        strike = self.newest_fault()
        self._begin("one", lambda work: self._measure(work, strike))

    # -- work ------------------------------------------------------------------------------------------------------

    def _begin(self, kind, task):
        busy = "starting" if kind == "twins" else "measuring"
        fresh = {"shot": None, "result": None, "newest": None, "one": None} if kind == "twins" else {}
        self.begin(kind, task, busy, status="", **fresh)

    def _run(self, work, take_over=False):
        """Run twins until they are ended, showing them five times a second."""
        self.worlds.ready(work, lambda said: self.report(work, status=said), take_over)
        self.report(work, status="The twins begin …")
        twins = self.worlds.twins(self.nodes, self.state.pace, self.job)
        try:
            twins.start()
            going = True
            while going and not work.stopped():
                shot = twins.state()
                going = shot.running
                self.report(work, shot=shot, busy="live", status="")
                if shot.error:
                    raise CourseError(shot.error)
                for order in work.orders(LOOK_SECONDS):
                    self._obey(work, twins, *order)
            if going:
                self.report(work, busy="stopping", status="The twins finish what has arrived …")
                result = twins.end()
                self.report(work, result=result, shot=result.state)
        finally:
            twins.abandon()

    def _obey(self, work, twins, name, *arguments):
        """Carry out an order; the error of a failed order is shown, and the twins continue."""
        try:
            if name == "set_pace":
                twins.pace = arguments[0]
            elif getattr(twins, name)(*arguments) is False:
                self.report(work, error=ErrorView(_too_late(name, arguments[0])))
            elif self.state.error is not None:
                self.report(work, error=None)
        except Exception as why:  # noqa: BLE001 - shown in the console; the run must not end by it
            self.fail(why)

    def _measure(self, work, strike):
        """Let one node run under the same fault, and put its waits beside the twins'."""

        def tell(words):
            self.report(work, status=words)

        self.worlds.ready(work, tell)
        one = measure(self.worlds, strike, self.state.shot, self.job, work.stopped, tell)
        last = hours_of(self.state.shot)[-1]
        self.report(work, one=one, newest=strike.hour + 6 if strike.hour + 6 < last else None)

    def patience(self, work):
        """Return the longest time in seconds for stopped work to end: 0 for a cluster that is starting."""
        return 0.0 if getattr(work, "phase", "") == "starting" else PATIENCE_SECONDS

    def failed(self, why, work):
        """Show the error that work raised."""
        if not isinstance(why, Stopped):
            self.fail(why)

    def view_of(self, why):
        """Return an error as this widget shows it, with an offer where another notebook has the cluster."""
        return ErrorView.of(why, self.worlds.is_busy_elsewhere(why), self.what)

    def at_end(self, work):
        """Return the changes of the state at the end of work."""
        return {"status": ""}


def _too_late(name, number):
    """Return the sentence for an order that makes no sense in the twin's present state."""
    done = {"kill": "killed: it has no process now", "stop": "stopped: it does not run now"}
    done |= {"resume": "resumed: it is not stopped", "disarm": "disarmed: nothing is armed for it"}
    return f"Twin {number} cannot be {done.get(name, 'struck there')}. Look at its state, and try again."
