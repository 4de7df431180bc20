"""The micro-batch timeline without its screen: where the driver is killed, the simulated run, and the real one."""

from dataclasses import dataclass, field

from ...errors import BadInput, one_of
from ...faults import POINTS, Fault, FaultPlan
from ...handlers import structured_streaming, structured_streaming_appending
from ...pipeline import Job
from ...simulate import simulate
from ...verdict import judge
from ..base.cluster import Stopped
from ..base.model import BackgroundWork, BaseState, Undo

SINKS = {"append": structured_streaming_appending, "batch id": structured_streaming}
JOB = Job(items=6)
MOST_KILLS, MOST_UNDO = 3, 100
PARTS = {"checkpoint.offsets": "offsets", "checkpoint.state": "tasks", "checkpoint.commits": "commits"}
REAL_SECONDS = 150.0  # a run stops at its next mark; a driver without any is given up after 120 s


@dataclass(frozen=True)
class Passed:
    """What one life did in a batch at one place.

    `place` is A to E or a row: "offsets", "tasks", "sink" or "commits". `kind` is "passed" for a letter, and for a
    row "written", "again" (written a second time), or "there" (written before: found so, or refused).
    """

    life: int
    batch: int
    place: str
    kind: str


@dataclass(frozen=True)
class Batches:
    """One simulated run: all that its lives passed, their deaths as (life, letter, batch), and the verdict."""

    passed: tuple[Passed, ...]
    deaths: tuple
    verdict: object

    @property
    def letters(self):
        """The places A to E as (life, batch, letter), in the order in which they were passed."""
        return [(one.life, one.batch, one.place) for one in self.passed if one.place in POINTS]


@dataclass(frozen=True)
class BatchesState(BaseState):
    """The choices, the simulated run, the marks of a real run under way, and all real runs by choices."""

    sink: str
    run: Batches
    kill: tuple = ()
    marks: tuple = ()
    real: dict = field(default_factory=dict)

    @property
    def found(self):
        """The `QueryRun` of these choices, or None."""
        return self.real.get((self.sink, self.kill))


class BatchesModel(BackgroundWork):
    """The timeline of six batches. `sink` is "append" or "batch id"; anything else raises `BadInput`."""

    what = "The timeline"

    def __init__(self, sink="append", changed=None):
        one_of("the sink", sink, SINKS)
        self.back = Undo(MOST_UNDO)
        super().__init__(BatchesState(sink=sink, run=run_batches(sink, ())), changed)

    def actions(self):
        """Return the actions that `do` knows, by name."""
        return {
            "sink": lambda sink: self.choose(one_of("the sink", sink, SINKS), self.state.kill),
            "kill": lambda place: self.choose(self.state.sink, with_kill(self.state.kill, place)),
            "reset": lambda _: self.choose(self.state.sink, ()),
            "undo": lambda _: self.work or self.choose(*self.back.undo(None), remember=False),
            "real": lambda _: self.begin("real", self._for_real, marks=()),
            "stop": lambda _: self.stop(status="It stops at the driver’s next mark."),
        }

    def choose(self, sink, kill, remember=True):
        """Show the run of another choice; `remember` keeps the present one for undo."""
        now = self.state.sink, self.state.kill
        if self.work is not None or now == (sink, kill):
            return
        run = run_batches(sink, kill)
        if remember:
            self.back.remember(now)
        self.update(sink=sink, kill=kill, run=run, status="", marks=())

    def _for_real(self, work):
        from ...spark.streaming import run_query

        state, marks = self.state, []

        def made(mark):
            if work.stopped():
                raise Stopped
            marks.append(mark)
            self.report(work, marks=tuple(marks), status=f"{mark}.")

        self.report(work, status="A driver starts; this takes some seconds each time …")
        run = run_query(state.sink, list(state.kill), JOB.items, made)
        real = {**self.state.real, (state.sink, state.kill): run}
        self.report(work, real=real, marks=(), status="")

    def failed(self, why, work):
        """Show the error of a real run, but for one that was stopped."""
        if not isinstance(why, Stopped):
            super().failed(why, work)

    def at_end(self, work):
        """Forget the marks of a real run that came to no end."""
        return {"marks": (), "status": "Stopped. Nothing of it is left running." if work.stopped() else ""}

    def patience(self, work):
        """Return the longest time in seconds for a real run to end."""
        return REAL_SECONDS


def with_kill(kill, place):
    """Return kills with one more, or without it if it is there. Raises `BadInput` for a place that no life passes."""
    from ...spark.streaming.driver.query import checked_kills

    letter, batch = str(place)[:1], str(place)[1:]
    if letter not in POINTS or not batch.isdecimal() or int(batch) >= JOB.items:
        raise BadInput(f"{place!r} is no place; give a letter A to E and a batch 0 to {JOB.items - 1}, such as D2.")
    one = letter, int(batch)
    if one in kill:
        return tuple(each for each in kill if each != one)
    if len(kill) == MOST_KILLS:
        raise BadInput(f"{MOST_KILLS} drivers die already; take one of the kills away first, or choose Reset.")
    for at in reversed(range(len(kill) + 1)):
        try:
            return tuple(checked_kills([*kill[:at], one, *kill[at:]], JOB.items))
        except BadInput as why:
            wrong = why
    raise wrong


def plan_of(kill):
    """Return the fault plan of kills: life 1 dies at the first of them, life 2 at the second, and so on."""
    faults = []
    for life, (letter, batch) in enumerate(kill, 1):
        again = letter == "B" and life > 1 and kill[life - 2][1] == batch and kill[life - 2][0] in "BCD"
        item = None if again else batch + 1  # a replay stands at B before it has read its hour
        faults.append(Fault(letter, item, lives=(life,)))
    return FaultPlan(tuple(faults))


def run_batches(sink, kill):
    """Simulate the query with a sink and its driver killed at these places; return `Batches` read from the trace."""
    handler = SINKS[sink]
    run = simulate(handler, plan_of(kill), JOB)
    passed, deaths, done = [], [], dict.fromkeys(("offsets", "tasks", "sink", "commits"), 0)

    def add(life, place, kind, batch=None):
        passed.append(Passed(life, done["commits"] if batch is None else batch, place, kind))

    for event in run.trace:
        life, own = event.life, event.process == f"incarnation {event.life}"
        if own and event.verb == "start" and done["offsets"] > done["commits"]:
            add(life, "offsets", "there")
        elif own and event.verb == "crash point":
            letter = event.detail["point"]
            add(life, letter, "passed", done["commits"] - (letter == "E"))
        elif own and event.verb == "dies":
            letter = event.detail["at"]
            deaths.append((life, letter, done["commits"] - (letter == "E")))
        elif event.kind == "receive" and event.process in PARTS and event.verb == "cas":
            place, refused = PARTS[event.process], event.text == "refused"
            add(life, place, "there" if refused else "written")
            done[place] += not refused
        elif event.process == "batch" and event.text == "refused":
            add(life, "sink", "there")
        elif event.process == "output" and event.verb == "append":
            again = any(one.batch == done["commits"] and one.place == "sink" for one in passed)
            add(life, "sink", "again" if again else "written")
    return Batches(tuple(passed), tuple(deaths), judge(run, handler))


def lives_of(run):
    """Return {life: (first batch, last batch)} of the columns in which each life is drawn."""
    found = {}
    for one in run.passed:
        first, _ = found.get(one.life, (one.batch, None))
        found[one.life] = first, one.batch
    return found


def replays(run):
    """Return {life: the batch that it began with, because a life before it had logged its offsets}."""
    return {one.life: one.batch for one in run.passed if (one.place, one.kind) == ("offsets", "there")}
