"""Twins that a test commands: they go on only when it says so, and their states are those of `Twins`."""

import random
from dataclasses import replace

from exactly_once.spark.run.twins import Cell, Happening, Twin, TwinsState
from exactly_once.widgets.base.model import OnCluster

STAGES = ("PREPARING", "WRITING", "PREPARING", "WRITING", "HANDLING")
OTHERS = 0.6  # how often the other ones lose the cas that one wins


class FakeTwins:
    """A machine of one register; `hours(n)` lets the twins that run handle so many hours, at one second each."""

    def __init__(self, nodes=2, pace=2):
        self.pace, self.told, self.now, self.stamp = pace, [], 1000.0, 0
        self.twins, self.lives = {}, 0
        for number in range(1, nodes + 1):
            self._joins(number)
        self.happenings, self.tape, self.versions = [], [], 0
        self.arrived, self.rng, self.right, self.error = 0, random.Random(1), True, None
        self.abandoned = False

    def _joins(self, number):
        self.lives += 1
        where = {"executor": str((number + 1) % 2), "pid": 18000 + 33 * self.lives}
        self.twins[number] = Twin(number, "running", self.now, self.lives, 1, where)

    def __enter__(self):
        self.told.append(("start",))
        for number in self.twins:
            self._happens(number, "began", f"begins, executor {(number + 1) % 2}")
        return self

    def __exit__(self, *_):
        self.abandoned = True

    def _happens(self, number, kind, text, **more):
        self.stamp += 3
        life = self.twins[number].life
        self.happenings.append(Happening(self.stamp, number, kind, text, self.now, life, **more))

    def hours(self, number, wait=0.025):
        """Let hours arrive and be handled; with nobody at work they wait."""
        for _ in range(number):
            self.arrived += 1
            self.now += 0.5
            if self.running:
                self._hour(wait)
        return self

    @property
    def running(self):
        return [number for number, twin in self.twins.items() if twin.status == "running"]

    def _hour(self, wait):
        hour = len(self.tape) + 1
        for place, stage in enumerate(STAGES):
            winner = self.rng.choice(self.running)
            self.now += 0.002
            for number in self.running:
                if number != winner and self.rng.random() < OTHERS:
                    self._loses(number, hour)
            self._wins(winner, stage, hour + (stage == "HANDLING"))
            if place == 1:
                self.tape.append(Cell(hour, f"{44 + hour / 10:.1f}", winner, self.right, self.now - wait, wait))
                self._happens(winner, "written", f"push hour {hour} at index {hour - 1}, written")

    def _loses(self, number, hour):
        twin = self.twins[number]
        text = f"cas of hour {hour}, lost: {twin.version} ≠ {self.versions}"
        self._happens(number, "lost", text, version=self.versions)
        twin.version, twin.lost = self.versions, twin.lost + 1
        self._happens(number, "read", f"reads version {self.versions}")

    def _wins(self, number, stage, hour):
        self.versions += 1
        self.twins[number].version, self.twins[number].won = self.versions, self.twins[number].won + 1
        text = f"cas → {stage} hour {hour}, won"
        self._happens(number, "won", text, version=self.versions, stage=stage, hour=hour)

    def _strike(self, order, number, wanted, status, kind, text):
        self.told.append((order, number))
        twin = self.twins[number]
        if twin.status not in wanted:
            return False
        twin.status, twin.since = status, self.now
        self._happens(number, kind, text)
        return True

    def kill(self, number):
        return self._strike("kill", number, ("running", "stopped"), "killed", "killed", "SIGKILL to its worker")

    def stop(self, number):
        return self._strike("stop", number, ("running",), "stopped", "stopped", "SIGSTOP to its worker")

    def resume(self, number):
        return self._strike("resume", number, ("stopped",), "running", "resumed", "SIGCONT: it goes on")

    def state(self, wrong=None):
        if self.error:
            raise self.error
        done = len(self.tape)
        return TwinsState(
            self.now, self.pace, self.arrived, tuple(map(replace, self.twins.values())), tuple(self.happenings),
            tuple(self.tape), tuple((hour, 0.4) for hour in range(done + 1, self.arrived + 1)),
            max(0, done - 2), max(0, done - 2), self.right, wrong,
        )  # fmt: skip

    def end(self):
        self.told.append(("end",))
        for twin in self.twins.values():
            twin.status = "ended"
        return self.state(() if self.right else ("outputs",))


class FakeTwinsWorlds(OnCluster):
    """Hands out `FakeTwins`; `up` says whether there is a cluster, `busy` that another notebook has it."""

    fake = FakeTwins

    def __init__(self):
        self.up, self.busy, self.made, self.started = True, None, [], []

    def cluster_is_up(self):
        return self.up

    def start_cluster(self, progress=None, take_over=False):
        self.started.append(take_over)
        progress("Starting Java …")
        if self.busy and not take_over:
            raise self.busy
        self.up = True

    def is_busy_elsewhere(self, error):
        return error is self.busy

    def twins(self, nodes, pace, job):
        self.made.append(self.fake(nodes, pace))
        return self.made[-1]
