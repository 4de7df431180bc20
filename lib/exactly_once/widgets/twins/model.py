"""The Twins console without its screen: the run on the cluster, the learner's orders, the results.

Among them is the same fault with one node and Spark's retry: the waiting time of each record there.
"""

import time
from dataclasses import dataclass
from typing import NamedTuple

from ...errors import BadInput, number_in, one_of, whole
from ...pipeline import Job
from ..base.model import BackgroundWork, BaseState, OnCluster, Stopped
from .reading import NOW, POINTS, hours_of, strikes

PACES = (0.5, 1, 2, 4, 8, 16)  # hours a second, for the slider
MOST = 3
ENDING = "The twins finish what has arrived …"
LOOK_SECONDS = 0.2  # between two pictures
BEFORE, AFTER = 3, 8  # hours of one node before and after its fault
LONGEST_STOP = 10.0  # seconds; a longer stop is measured with this length
POINT = "A"  # with a record in hand: a node that is struck between two records delays no record
ONE_NODE_SECONDS = 90.0  # without progress
TOO_LATE = {
    "kill": "killed: it has no process now",
    "stop": "stopped: it does not run now",
    "resume": "resumed: it is not stopped",
    "disarm": "disarmed: nothing is armed for it",
}


class OneNode(NamedTuple):
    """The waiting times of records with one node under a fault. `points` are (hours since the fault's, seconds).

    `kind` is "stop" or "kill"; `still` the seconds for which the node was stopped, or until Spark's next process
    began.
    """

    kind: str
    still: float
    points: tuple


@dataclass(frozen=True, kw_only=True)
class TwinsConsoleState(BaseState):
    """The state of the screen.

    `shot` is the newest `TwinsState` of the run, `pace` in hours a second; `point` is the place of the next fault:
    "now", or a crash point. `newest` is the last hour in sight, or None to follow the run. `one` is the result of one
    node with Spark's retry under the same fault, a `OneNode`.
    """

    shot: object = None
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

    what, endings = "The Twins console", dict.fromkeys(("twins", "one"), 60.0)  # the nodes finish what has arrived

    def __init__(self, nodes=2, pace=2, job=None, worlds=None):
        self.nodes = whole("the number of twins", nodes, least=2, most=MOST)
        if job is not None and not isinstance(job, Job):
            raise BadInput(f"The job is {job!r}; give a Job, such as Job(duration=2, threshold=2).")
        self.job, self.worlds = job, worlds or TwinsWorlds()
        one_of("the pace in hours a second", pace, PACES)
        super().__init__(TwinsConsoleState(pace=pace))

    def actions(self):
        """Return the actions that `do` knows, by name."""
        return {name: lambda value, name=name: self.order(name, value) for name in TOO_LATE} | {
            "add": lambda _: self._at_work().order("add"),
            "start": lambda _: self._start(),
            "take_over": lambda _: self._start(take_over=True),
            "end": lambda _: self.stop(status=ENDING if self.is_live else "Stopping …"),
            "pace": self.set_pace,
            "point": lambda value: self.update(point=one_of("where the fault strikes", value, POINTS)),
            "look": self.look,
            "fault": lambda _: self.update(newest=self._around(self.newest_fault())),
            "follow": lambda _: self.update(newest=None),
            "one": lambda _: self.ask_one(),
        }

    @property
    def is_live(self):
        """True while twins run."""
        return self.state.busy == "live"

    def _at_work(self):
        if not self.is_live or self.work is None:
            raise BadInput("No twins are at work; start them first.")
        return self.work

    def order(self, name, value):
        """Have the twins' own thread carry out an order on a twin. Raises `BadInput` when no twins run."""
        work = self._at_work()
        number = whole("the number of the twin", number_in(value), least=1, most=len(self.state.shot.twins))
        if name in ("kill", "stop") and self.state.point != NOW:
            work.order("strike_at", number, self.state.point, name)
            self.update(point=NOW)
        else:
            work.order(name, number)

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
        newest = max(hours[0], whole("the last hour in sight", number_in(value)))
        self.update(newest=newest if newest < hours[-1] else None)

    def _around(self, strike):
        """Return the last hour in sight when the picture shows a fault."""
        return strike.hour + 6 if strike.hour + 6 < hours_of(self.state.shot)[-1] else None

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
        self.begin("one", lambda work: self._measure(work, strike), "measuring", status="")

    def _start(self, take_over=False):
        fresh = dict.fromkeys(("shot", "newest", "one"))
        self.begin("twins", lambda work: self._run(work, take_over), "starting", status="", **fresh)

    def _run(self, work, take_over):
        """Run twins until they are ended, showing them five times a second."""
        self.worlds.ready(work, lambda said: self.report(work, status=said), take_over)
        self.report(work, status="The twins begin …")
        with self.worlds.twins(self.nodes, self.state.pace, self.job) as twins:
            while not work.stopped():
                self.report(work, shot=twins.state(), busy="live", status="")
                for order in work.orders(LOOK_SECONDS):
                    self._obey(work, twins, *order)
            self.report(work, busy="stopping", status=ENDING)
            self.report(work, shot=twins.end())

    def _obey(self, work, twins, name, *arguments):
        """Carry out an order; the error of a failed order is shown, and the twins continue."""
        try:
            if getattr(twins, name)(*arguments) is False:
                raise BadInput(f"Twin {arguments[0]} cannot be {TOO_LATE[name]}. Look at its state, and try again.")
            if self.state.error is not None:
                self.report(work, error=None)
        except Exception as why:  # noqa: BLE001 - shown in the console; the run must not end by it
            self.fail(why)

    def _measure(self, work, strike):
        """Let one node run under the same fault, and put its waits beside the twins'."""

        def tell(words):
            self.report(work, status=words)

        self.worlds.ready(work, tell)
        one = measure(self.worlds, strike, self.state.shot.pace, self.job, work.stopped, tell)
        self.report(work, one=one, newest=self._around(strike))


def measure(worlds, strike, pace, job, stopped, tell):
    """Run one node at a pace, strike it as the twin was, with a record in hand, and return a `OneNode`.

    `stopped` is called now and then; once it returns true, `Stopped` is raised. `tell` is called with sentences on
    the progress.
    """
    still = min((strike.until or time.time()) - strike.wall, LONGEST_STOP)
    tell("One node begins …")
    with worlds.twins(1, pace, job) as one:

        def until(done):
            deadline = time.monotonic() + ONE_NODE_SECONDS
            while not done(shot := one.state()):
                if stopped():
                    raise Stopped
                if time.monotonic() > deadline:
                    raise TimeoutError(f"The one node made no progress within {ONE_NODE_SECONDS:g} seconds.")
                time.sleep(0.05)
            return shot

        until(lambda shot: len(shot.tape) >= BEFORE)
        one.strike_at(1, POINT, strike.kind)
        (hit,) = strikes(until(strikes))
        tell(f"The one node is {'stopped' if strike.kind == 'stop' else 'killed'}; records wait …")
        if strike.kind == "stop":
            until(lambda shot: shot.now - hit.wall >= still)
            one.resume(1)
        else:
            back = until(lambda shot: shot.twins[0].lives > 1 and shot.twins[0].status == "running")
            still = (strikes(back)[0].until or time.time()) - hit.wall
        most = max(one.state().arrived, hit.hour + AFTER)
        tape = until(lambda shot: len(shot.tape) >= most).tape
    points = tuple((cell.hour - hit.hour, cell.wait) for cell in tape if cell.hour >= hit.hour - BEFORE)
    return OneNode(strike.kind, still, points)
