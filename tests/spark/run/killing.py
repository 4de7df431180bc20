"""SIGKILLs from the notebook's side, at drawn moments: where in its code a process is then, nobody decides."""

import random
import signal
import time
from collections import Counter

from exactly_once import simulate
from exactly_once.spark import Prepared, in_turn
from exactly_once.spark.cluster.processes import signal_worker


class Killer:
    """Kills an incarnation of a `Prepared` run at each number of recorded events in `moments`."""

    def __init__(self, run, moments, rng):
        self.run, self.moments, self.rng, self.killed = run, sorted(moments), rng, set()

    def look(self):
        """Kill, if it is time to."""
        folder = self.run.folder
        if not self.moments or folder.ended(len(self.run.inputs)) or folder.events() < self.moments[0]:
            return
        going = [start for start in self.living() if start.life not in self.killed]
        if not going:
            return
        start = self.rng.choice(going)
        self.killed.add(start.life)
        self.run.recorder.fire(f"outside-{start.life}")  # so that it counts as a death that was meant
        if signal_worker(start.detail["pid"], signal.SIGKILL):
            del self.moments[0]

    def living(self):
        """Return the start of the newest incarnation of each node that is at work."""
        started, last = {}, {}
        for event in self.run.recorder.events():
            last[event.life] = event
            if event.verb == "start":
                started[event.detail.get("node", 0) + 1] = event
        return [
            start
            for node, start in started.items()
            if not self.run.folder.node_ended(node) and last[start.life].verb not in ("dies", "ends", "raised")
        ]


def killed_at_random(cases, kills, seed):
    """Run many (handler, plan, job), and SIGKILL each from here `kills` times. Returns the `Run`s.

    A moment is a number of events that the run has recorded, of as many as a run without any fault records; a run
    that ends before its last moments is killed less often.
    """
    rng, runs, killers = random.Random(f"kill {seed}"), [], []
    for handler, plan, job in cases:
        recorded = sum(event.process.startswith("incarnation") for event in simulate(handler, None, job).trace)
        runs.append(Prepared(handler, plan, job))
        killers.append(Killer(runs[-1], rng.sample(range(1, recorded), min(kills, recorded - 1)), rng))
    return in_turn(runs, progress=lambda _: [killer.look() for killer in killers], patience=60.0)


def struck_at_random(twins, faults, seed=1):
    """Kill and stop nodes of `Twins` that are at work, `faults` times; return Counter({fault: number of times}).

    Which node, whether it is killed or stopped, for how long and when is drawn by `seed`; where in its code a node is
    then nobody decides. Stops last up to half a second and overlap, so that all may stand still at once.
    """
    rng, done, asleep = random.Random(f"twins {seed}"), Counter(), {}  # {number: when it is resumed}
    while done.total() < faults:
        time.sleep(rng.uniform(0.01, 0.2))
        for number in [number for number, until in asleep.items() if until < time.monotonic()]:
            del asleep[number]
            twins.resume(number)
        number = rng.randint(1, twins.nodes)
        if rng.random() < 0.5:
            done["killed"] += twins.kill(number)
        elif twins.stop(number):
            done["stopped"] += 1
            asleep[number] = time.monotonic() + rng.uniform(0, 0.5)
    return done
