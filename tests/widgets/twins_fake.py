"""Twins that a test commands: they go on only when it says so, and their states are those of `Twins`."""

import random

from exactly_once.spark.run.history import Happening, Loss, Version
from exactly_once.spark.run.twins import Tape, Twin, TwinsState
from exactly_once.widgets.base.cluster import OnCluster

STAGES = ("PREPARING", "WRITING", "PREPARING", "WRITING", "HANDLING")
OTHERS = 0.6  # how often the other ones lose the cas that one wins


class FakeTwins:
    """A machine of one register; `hours(n)` lets the twins that run handle so many hours, at one second each."""

    def __init__(self, nodes=2, pace=2):
        self.pace, self.told, self.now, self.stamp = pace, [], 1000.0, 0
        self.twins = {number: ["running", self.now, number, 1] for number in range(1, nodes + 1)}
        self.known = dict.fromkeys(self.twins, 0)
        self.versions, self.losses, self.happenings, self.tape = [], [], [], []
        self.arrived, self.rng, self.right, self.ended, self.error = 0, random.Random(1), True, False, None
        self.abandoned = False
        self.lives = nodes

    def start(self):
        self.told.append(("start",))
        for number in self.twins:
            self._happens(number, "began", f"begins, executor {(number + 1) % 2}")
        return self

    def _happens(self, number, kind, text):
        self.stamp += 3
        life = self.twins[number][2]
        self.happenings.append(Happening(self.stamp, number, kind, text, self.now, life))

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
        return [number for number, (status, *_) in self.twins.items() if status == "running"]

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
                self.tape.append(Tape(hour, 44 + hour / 10, f"{44 + hour / 10:.1f}", winner, self.right, wait))
                self._happens(winner, "written", f"push hour {hour} at index {hour - 1}, written")

    def _loses(self, number, hour):
        found = len(self.versions)
        self.losses.append(Loss(self.known[number], found, number, self.twins[number][2], self.stamp, self.now))
        self._happens(number, "lost", f"cas of hour {hour}, lost: {self.known[number]} ≠ {found}")
        self.known[number] = found
        self._happens(number, "read", f"reads version {found}")

    def _wins(self, number, stage, hour):
        self.known[number] = len(self.versions) + 1
        version = Version(self.known[number], stage, hour, number, self.twins[number][2], self.stamp, self.now)
        self.versions.append(version)
        self._happens(number, "won", f"cas → {stage} hour {hour}, won")

    def _set(self, number, status):
        self.twins[number][:2] = status, self.now

    def kill(self, number):
        self.told.append(("kill", number))
        if self.twins[number][0] == "killed":
            return False
        self._set(number, "killed")
        self._happens(number, "killed", "SIGKILL to its worker")
        return True

    def retry(self, number):
        """Spark's next life begins."""
        self.now += 0.9
        self.lives += 1
        self._set(number, "running")
        self.twins[number][2:] = self.lives, self.twins[number][3] + 1
        self._happens(number, "began", "begins, executor 1")

    def stop(self, number):
        self.told.append(("stop", number))
        if self.twins[number][0] != "running":
            return False
        self._set(number, "stopped")
        self._happens(number, "stopped", "SIGSTOP to its worker")
        return True

    def resume(self, number):
        self.told.append(("resume", number))
        if self.twins[number][0] != "stopped":
            return False
        self._set(number, "running")
        self._happens(number, "resumed", "SIGCONT: it goes on")
        return True

    def strike_at(self, number, point, what):
        self.told.append(("strike_at", number, point, what))

    def state(self):
        return TwinsState(
            seconds=self.now - 1000, running=not self.ended and self.error is None, pace=self.pace,
            arrived=self.arrived, twins=tuple(map(self._twin, self.twins)), versions=tuple(self.versions),
            losses=tuple(self.losses), happenings=tuple(self.happenings), tape=tuple(self.tape),
            waiting=tuple((hour, 0.4) for hour in range(len(self.tape) + 1, self.arrived + 1)),
            counter=max(0, len(self.tape) - 2), counter_due=max(0, len(self.tape) - 2), right=self.right,
            sentence=f"{'Exactly once so far' if self.right else 'Not exactly once'}: {len(self.tape)} hours.",
            error=self.error,
        )  # fmt: skip

    def _twin(self, number):
        status, since, life, lives = self.twins[number]
        won = sum(version.node == number for version in self.versions)
        lost = sum(loss.node == number for loss in self.losses)
        pid = 18000 + 33 * life
        return Twin(number, "ended" if self.ended else status, self.now - since, life, lives, pid,
                     str((number + 1) % 2), won, lost, self.known[number])  # fmt: skip

    def end(self):
        self.told.append(("end",))
        self.ended = True
        return FakeResult(self.state(), self.right, dict.fromkeys(self.twins, 0.5))

    def abandon(self):
        self.abandoned = True


class FakeResult:
    """What `end` returns, as far as the console looks at it."""

    def __init__(self, state, exactly_once, shares):
        self.state, self.exactly_once, self.shares = state, exactly_once, shares

    def __str__(self):
        return f"{'Exactly once' if self.exactly_once else 'Not exactly once'}: {self.state.arrived} hours arrived."


class FakeTwinsWorlds(OnCluster):
    """Hands out `FakeTwins`; `up` says whether there is a cluster, `busy` that another notebook has it."""

    fake = FakeTwins

    def __init__(self):
        super().__init__()
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
