"""Worlds that a test commands: nothing runs before it says so, and what would be a cluster is a simulation."""

import threading
import time
from dataclasses import dataclass, field

from exactly_once.errors import CourseError
from exactly_once.simulate import simulate
from exactly_once.verdict import judge
from exactly_once.widgets.base.model import Stopped
from exactly_once.widgets.console.runs import Worlds


def until(condition, seconds=60):
    """Wait for something that another thread brings about."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


class Busy(CourseError):
    """Another notebook has the cluster."""


@dataclass
class FakeWorlds(Worlds):
    """The simulation for both worlds; `gate` holds runs on the cluster back until it is set."""

    up: bool = False
    started: list = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)
    starting: threading.Event = field(default_factory=threading.Event)
    error: Exception | None = None
    lives: list = field(default_factory=list)

    def __post_init__(self):
        self.gate.set()
        self.starting.set()

    def cluster_is_up(self):
        return self.up

    def start_cluster(self, progress=None, take_over=False):
        self.started.append(take_over)
        progress("Starting Java …")
        self.starting.wait(60)
        if self.error and not take_over:
            raise self.error
        self.up = True

    def is_busy_elsewhere(self, error):
        return isinstance(error, Busy)

    def on_cluster(self, cases, stopped, progress=None):
        while not self.gate.wait(0.01):
            if stopped():
                raise Stopped
        found = []
        for handler, plan, job, _ in cases:
            found.append(judge(simulate(handler, plan, job), handler))
            if progress:
                progress(len(found))
        return found

    def live(self, handler, job, pace, node=1):
        self.lives.append(FakeLive(handler, job, pace, node))
        return self.lives[-1]


@dataclass
class Shot:
    verdict: object
    armed: str | None
    last_line: int | None
    current_life: int
    running: bool
    seconds: float = 1.0
    error: str | None = None


class FakeLive:
    """A live run that notes each call and its thread."""

    def __init__(self, handler, job, pace, node):
        self.handler, self.job, self.pace, self.node = handler, job, pace, node
        self.told, self.threads, self.armed, self.running = [], set(), None, True
        self.verdict = judge(simulate(handler), handler)

    def _note(self, *what):
        self.threads.add(threading.current_thread().name)
        self.told.append(what)

    def start(self):
        self._note("start")

    def arm(self, point, kill="worker"):
        self._note("arm", point, kill)
        self.armed = point

    def disarm(self):
        self._note("disarm")
        self.armed = None

    def kill_now(self, kill="worker"):
        self._note("kill_now", kill)
        return True

    def set_pace(self, seconds):
        self._note("set_pace", seconds)
        if seconds == 1.5:
            raise CourseError("too slow for this test")

    def snapshot(self):
        return Shot(self.verdict, self.armed, 10, 1, self.running)

    def stop(self):
        self._note("stop")
        return self.verdict
