"""SIGKILLs from the notebook's side, at drawn moments: where in its code a process is then, nobody decides."""

import random
import signal

from ...errors import whole
from ...pipeline.job import checked_run
from ...simulate import simulate
from ..task.world import OVER
from .tasks import Prepared, in_turn


class Killer:
    """Kills an incarnation of a `Prepared` run at each number of recorded events in `moments`.

    `look()` is called again and again while the run goes on. `rng` draws whose incarnation it is, where there are
    several nodes.
    """

    def __init__(self, run, moments, rng):
        self.run, self.moments, self.rng, self.killed = run, sorted(moments), rng, set()

    def look(self):
        """Kill, if it is time to."""
        folder = self.run.folder
        if not self.moments or folder.ended(len(self.run.inputs)) or folder.events() < self.moments[0]:
            return
        going = [start for start in living(self.run).values() if start.life not in self.killed]
        if not going:
            return
        start = self.rng.choice(going)
        self.killed.add(start.life)
        self.run.recorder.fire(f"outside-{start.life}")  # so that it counts as a death that was meant
        if folder.signal(start.life, start.detail["pid"], signal.SIGKILL):
            del self.moments[0]


def living(run):
    """Return {node: start of its newest incarnation} of all nodes of a `Prepared` run that are at work."""
    started, last = {}, {}
    for event in run.recorder.events():
        last[event.life] = event
        if event.verb == "start":
            started[event.detail.get("node", 0) + 1] = event
    return {
        node: start
        for node, start in started.items()
        if not run.folder.node_ended(node) and last[start.life].verb not in OVER
    }


def killed_at_random(cases, kills=5, seed=1, spark=None, progress=None, patience=60.0):
    """Run many (handler, plan, job) as `run_many` does, and SIGKILL each from here `kills` times. Returns the `Run`s.

    A moment is a number of events that the run has recorded, drawn by `seed` from as many as a run without any fault
    records; a run that ends before its last moments is killed less often. `progress` and the errors are as in
    `run_many`.
    """
    whole("the number of kills", kills)
    rng, runs, killers = random.Random(f"kill {seed}"), [], []
    for handler, plan, job in cases:
        checked_run(handler, plan, job)
        recorded = sum(event.process.startswith("incarnation") for event in simulate(handler, None, job).trace)
        runs.append(Prepared(handler, plan, job))
        killers.append(Killer(runs[-1], rng.sample(range(1, recorded), min(kills, recorded - 1)), rng))

    def look(ended):
        for killer in killers:
            killer.look()
        if progress:
            progress(ended)

    return in_turn(runs, spark, look, patience)
