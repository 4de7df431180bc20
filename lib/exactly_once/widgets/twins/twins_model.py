"""The Twins console without its screen: the run on the cluster, the learner's orders, the results.

Behind the model stands what is derived from a `TwinsState`: hours, faults, a stopped twin's next step, sentences.
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

from ...errors import BadInput, number_in, one_of, plural, whole
from ...pipeline import Job
from ..base.controls import who
from ..base.model import BackgroundWork, BaseState, OnCluster

PACES = (0.5, 1, 2, 4, 8, 16)  # hours a second, for the slider
MOST = 3
ENDING = "The twins finish what has arrived …"
LOOK_SECONDS = 0.2  # between two pictures
TOO_LATE = {
    "kill": "killed: it has no process now",
    "stop": "stopped: it does not run now",
    "resume": "resumed: it is not stopped",
    "disarm": "disarmed: nothing is armed for it",
}
NOW = "now"
POINTS = {
    NOW: "at once",
    "A": "at A: before HANDLING's cas",
    "B": "at B: before the counter's push",
    "C": "at C: pushed, before the last cas",
    "D": "at D: after that cas",
    "E": "at E: back in HANDLING",
}
ENOUGH = 4  # hours after which the longest wait is meaningful
STRIKING = {"stopped": "stop", "killed": "kill"}
OVER = {"stop": ("resumed", "killed", "died"), "kill": ("began",)}
NOTHING = (
    "Nothing runs yet. <b>Start</b> brings up nodes of the lock-free handler on the cluster, all at once. Then "
    "stop one with SIGSTOP, or kill it, while records arrive: which hours will be late, doubled or missing?"
)


@dataclass(frozen=True, kw_only=True)
class TwinsConsoleState(BaseState):
    """The state of the screen.

    `shot` is the newest `TwinsState` of the run, `pace` in hours a second; `point` is the place of the next fault:
    "now", or a crash point. `newest` is the last hour in sight, or None to follow the run.
    """

    shot: object = None
    pace: float = 2
    point: str = NOW
    newest: int | None = None


class TwinsWorlds(OnCluster):
    """The cluster behind one interface, so that the console's model can be tested with another."""

    slots = 4  # for three twins and the database's own node

    def twins(self, nodes, pace, job):
        """Return `Twins` that have not started yet."""
        from ...spark.run.twins import Twins

        return Twins(nodes=nodes, pace=pace, job=job)


class TwinsModel(BackgroundWork):
    """The Twins console's run and the learner's orders to it.

    `nodes` is the first number of twins, `job` gives window and threshold, `worlds` runs twins on the cluster.
    No process is started before `start`.
    """

    what, endings = "The Twins console", {"twins": 60.0}  # the nodes finish what has arrived

    def __init__(self, nodes: Any = 2, pace: int = 2, job: Any = None, worlds: Any = None) -> None:
        self.nodes = whole("the number of twins", nodes, least=2, most=MOST)
        if job is not None and not isinstance(job, Job):
            raise BadInput(f"The job is {job!r}; give a Job, such as Job(duration=2, threshold=2).")
        self.job, self.worlds = job, worlds or TwinsWorlds()
        one_of("the pace in hours a second", pace, PACES)
        super().__init__(TwinsConsoleState(pace=pace))

    def actions(self) -> dict[str, Callable[..., Any]]:
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
        }

    @property
    def is_live(self) -> bool:
        """True while twins run."""
        return self.state.busy == "live"

    def _at_work(self) -> Any:
        if not self.is_live or self.work is None:
            raise BadInput("No twins are at work; start them first.")
        return self.work

    def order(self, name: str, value: Any) -> None:
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

    def look(self, value: Any) -> None:
        """Show the hours up to this one; at the newest the picture follows again."""
        hours = hours_of(self.state.shot)
        if not hours:
            raise BadInput("There are no hours to look at yet; start the twins.")
        newest = max(hours[0], whole("the last hour in sight", number_in(value)))
        self.update(newest=newest if newest < hours[-1] else None)

    def _around(self, strike):
        """Return the last hour in sight when the picture shows a fault."""
        return strike.hour + 6 if strike.hour + 6 < hours_of(self.state.shot)[-1] else None

    def newest_fault(self) -> "Strike":
        """Return the newest `Strike`. Raises `BadInput` when there was none in this run."""
        found = strikes(self.state.shot)
        if not found:
            raise BadInput("No twin was stopped or killed in this run; do that first.")
        return found[-1]

    def _start(self, take_over: Any = False) -> None:
        fresh = dict.fromkeys(("shot", "newest"))
        self.begin("twins", lambda work: self._run(work, take_over), "starting", status="", **fresh)

    def _run(self, work: Any, take_over: bool) -> None:
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

    def _obey(self, work: Any, twins: Any, name: str, *arguments: int) -> None:
        """Carry out an order; the error of a failed order is shown, and the twins continue."""
        try:
            if getattr(twins, name)(*arguments) is False:
                raise BadInput(f"Twin {arguments[0]} cannot be {TOO_LATE[name]}. Look at its state, and try again.")
            if self.state.error is not None:
                self.report(work, error=None)
        except Exception as why:  # noqa: BLE001 - shown in the console; the run must not end by it
            self.fail(why)


class Strike(NamedTuple):
    """A fault: the struck twin, the kind "stop" or "kill", its moment, its hour, and the moment of its end, or None.

    `hour` is the hour that was under way in the machine; moments are in seconds since the epoch.
    """

    node: int
    kind: str
    wall: float
    hour: int
    until: float | None


def strikes(shot: Any) -> list[Any]:
    """Return the `Strike`s of a run, oldest first."""
    found = []
    for one in shot.happenings if shot else ():
        if kind := STRIKING.get(one.kind):
            later = [two for two in shot.happenings if two.node == one.node and two.wall > one.wall]
            until = next((two.wall for two in later if two.kind in OVER[kind]), None)
            found.append(Strike(one.node, kind, one.wall, hour_at(shot, one.wall), until))
    return sorted(found, key=lambda strike: strike.wall)


def hour_at(shot: Any, wall: float) -> int:
    """Return the hour that was under way in the machine at a moment, or the next one."""
    return next((version.hour for version in reversed(shot.versions) if version.wall <= wall), 1)


def by_hour(versions: list[Any]) -> dict[Any, Any]:
    """Return {hour: its versions of the register, in order}; HANDLING ends the hour before its own."""
    found = {}
    for version in versions:
        found.setdefault(version.hour - (version.stage == "HANDLING"), []).append(version)
    return found


def hours_of(shot: Any) -> list[Any]:
    """Return the hours that have begun or wait, in order."""
    return sorted({*by_hour(shot.versions), *(hour for hour, _ in shot.waiting)}) if shot else []


class Held(NamedTuple):
    """What a stopped twin knows, and would do if it woke up now.

    `version` is the newest version of the register that it knows; `stale` tells that there are newer ones, and
    `reads` that it would read the register next. `where` and `waking` are sentences on where it is, and on its steps.
    """

    version: int
    stale: bool
    reads: bool
    where: str
    waking: str


def held_by(shot: Any, twin: Any) -> Held:
    """Return the `Held` of a stopped twin.

    If it was stopped in WRITING at no crash point, its push may be done already, with the cas to come.
    """
    version, now = twin.version, len(shot.versions)
    stage, hour = (shot.versions[version - 1].stage, shot.versions[version - 1].hour) if version else ("HANDLING", 1)
    own = [one for one in shot.happenings if one.node == twin.number and one.life == twin.life]
    last = next((one.kind for one in reversed(own) if one.kind in ("read", "won", "lost", "written", "found")), "")
    reads = last == "lost" or (last == "won" and stage == "HANDLING")
    pushes = stage == "WRITING" and last not in ("written", "found") and " at C," not in own[-1].text
    outputs = sum(one.stage == "PREPARING" for one in by_hour(shot.versions[:version]).get(hour, []))
    what = f"the counter’s message of hour {hour}" if outputs > 1 else f"hour {hour}"
    doing = {"HANDLING": "to handle", "PREPARING": "to place", "WRITING": "to push" if pushes else "pushed"}[stage]
    where = f"It stopped in {stage}, with {what} {doing}. "
    waking = f"its cas fails ({version} ≠ {now}), and it reads again."
    if reads:
        where = f"It stopped after a cas, with version {version}. "
        waking = f"it reads the register, now at version {now}, and goes on from there."
    elif pushes:
        waking = f"its push finds that there, {waking}"
    waking = "The register is still as it knows it." if version == now else f"When it wakes, {waking}"
    return Held(version, version != now, reads, where, waking)


def undisturbed(shot: Any) -> float | None:
    """Return the longest wait before the first fault, in seconds, or None before some hours have gone by.

    It leaves out the backlog of the beginning: it counts from the first hour whose output was there before the next
    hour came.
    """
    until = min((strike.hour for strike in strikes(shot)[:1]), default=float("inf"))
    before = [cell for cell in shot.tape if cell.hour < until]
    calm = next((at for at, cell in enumerate(before) if cell.hour > 1 and cell.wait < 1 / shot.pace), len(before))
    return max((cell.wait for cell in before[calm:]), default=None) if len(before) - calm >= ENOUGH else None


def longest_wait_since(shot: Any, hour: int) -> float | None:
    """Return the longest waiting time of a record of this hour or a later one, in seconds, or None."""
    return max((cell.wait for cell in shot.tape if cell.hour >= hour), default=None)


def status_words(twin: Any, now: float) -> tuple[str, str]:
    """Return (kind, words) of a twin's state at a moment; kind is "good", "warn", "bad" or "none"."""
    if twin.armed:
        point, what, _ = twin.armed
        return "warn", f"◎ will be {'stopped' if what == 'stop' else 'killed'} at {point}"
    since = seconds(now - twin.since)
    return {
        "running": ("good", "▶ running"),
        "stopped": ("warn", f"❚❚ stopped {since}"),
        "killed": ("bad", f"✖ killed {since} ago, Spark starts it again"),
        "failed": ("bad", "✗ failed"),
        "starting": ("none", "begins …"),
    }.get(twin.status, ("none", twin.status))


def seconds(number: float) -> str:
    """Return seconds in words."""
    if number < 0.0995:
        return f"{1000 * number:.0f} ms"
    return f"{number:.1f} s" if number < 99.95 else f"{number:.0f} s"


def millis(number: Any) -> str:
    """Return seconds in milliseconds where they are few."""
    return f"{1000 * number:,.0f} ms" if number < 9.9995 else f"{number:.1f} s"


def verdict(state):
    """Return (the kind of banner, its first words, the rest as HTML) of a console's state."""
    shot = state.shot
    if shot is None:
        if state.busy != "idle":
            return "none", "One moment.", escape(state.status or "The twins begin …")
        return "none", "Twins, for real.", NOTHING
    title, _, rest = map(escape, shot.sentence.partition(": "))
    if shot.wrong is not None or not shot.right:
        kind, sign = ("good", "✓") if shot.right else ("bad", "✗")
        return kind, f"{sign} {title}.", rest[:1].upper() + rest[1:] + ("" if shot.wrong is None else _figures(shot))
    if state.busy == "idle":
        return "none", "The run is over.", f"{title}: {rest}"
    still = [twin for twin in shot.twins if twin.status in ("stopped", "killed")]
    if len(still) == len(shot.twins):
        waiting = f"{plural(len(shot.waiting), 'record')} {'waits' if len(shot.waiting) == 1 else 'wait'}"
        way = "Resume one" if any(twin.status == "stopped" for twin in still) else "Spark starts them again"
        return "warn", "! Nobody is at work.", f"{rest} {waiting}, and nothing is lost. {way}, and it goes on."
    more = _one_still(shot, max(still, key=lambda twin: twin.since)) if still else _calm(shot)
    return "good", f"✓ {title}:", f"{rest} {more}"


def _figures(shot: Any) -> str:
    """Return each twin's share of the transitions, and the longest wait, after a run."""
    versions = max(len(shot.versions), 1)
    shares = ", ".join(f"{name(twin.number)} {twin.won / versions:.0%}" for twin in shot.twins)
    longest = f" The longest wait was {millis(longest_wait_since(shot, 0))}." if shot.tape else ""
    return f" Transitions: {shares}.{longest}"


def _calm(shot: Any) -> str:
    """Return the sentences while all twins run: on the newest fault, or on the transitions of each twin."""
    past = strikes(shot)
    if past:
        strike = past[-1]
        longest = longest_wait_since(shot, strike.hour)
        lasted = f" for {seconds(strike.until - strike.wall)}" if strike.until else ""
        what = "was stopped" if strike.kind == "stop" else "had no process"
        waited = f"No record from hour {strike.hour} on waited longer than {millis(longest)}." if longest else ""
        return f"{name(strike.node, 'Twin')} {what}{lasted} and is at work again. {waited}"
    shares = ", ".join(f"{name(twin.number)} {twin.won}" for twin in shot.twins)
    return f"All of them make transitions: {shares}. A cas that is lost costs its twin a look, and nobody waits."


def _one_still(shot: Any, twin: Any) -> str:
    """Describe a stopped twin: its position, the others' progress meanwhile, and its next step."""
    wall = max((one.wall for one in strikes(shot) if one.node == twin.number), default=0)
    longest = longest_wait_since(shot, hour_at(shot, wall))
    waited = f"since then no record has waited longer than {millis(longest)}." if longest else "no output since."
    others = [one for one in shot.twins if one.status == "running"]
    done = [one.hour - 1 for one in shot.versions if one.stage == "HANDLING" and one.wall > wall]  # hours that ended
    whom = f"{name(others[0].number, 'Twin')} has" if len(others) == 1 else "The others have"
    span = f"hour {done[0]}" if len(done) == 1 else f"hours {done[0]} to {done[-1]}" if done else ""
    finished = f"{whom} finished {span}. " if done else ""
    whom, since = name(twin.number, "Twin"), seconds(shot.now - twin.since)
    if twin.status == "killed":
        return (
            f"{whom} was killed {since} ago, Spark starts it again: {waited} {finished}"
            "Its next incarnation reads the register, and goes on from there."
        )
    held = held_by(shot, twin)
    return f"{whom} has been stopped for {since}: {waited} {held.where}{finished}{held.waking}"


def name(number: int, title: str = "twin") -> str:
    """Return a twin's name, with its sign."""
    return f"{who(number - 1)} {title} {number}"
