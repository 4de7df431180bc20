"""Several nodes on shared stores in memory, under a given schedule, with misfortunes at steps given by their number.

A fault plan names the first step of a kind at an item; here each step of each life can be hurt.
"""

import itertools
import random

from greenlet import greenlet

from exactly_once.faults import Fault, FaultPlan
from exactly_once.node import Job
from exactly_once.node.live import live
from exactly_once.node.parcel import pack, unpack
from exactly_once.simulate.world import SimulatedWorld
from exactly_once.verdict import Run, ideal_outcomes

KINDS = ("crash before", "crash after", "lost request", "lost reply", "duplicated request")
LIVES = 40


class HurtWorld(SimulatedWorld):
    """A world whose misfortunes are {(life, number of the step): kind}."""

    def __init__(self, job, hurts):
        super().__init__(FaultPlan(), job)
        self.hurts, self.at, self.struck = hurts, {}, []

    def turn(self, event):
        self.at[event.life] = event.step
        super().turn(event)

    def striking(self, at, kind, item, life):
        if self.hurts.get((life, self.at[life])) == kind:
            number, fault = len(self.struck), Fault(at, item, kind)
            self.struck.append((life, self.at[life], at, kind))
            self.plan = FaultPlan((*self.plan.faults, fault))
            yield str(number), fault


class Nodes:
    """`count` nodes that run a handler, or one handler each, until all have ended.

    `schedule` is called with the numbers of the unfinished nodes before each step, and returns the one that goes on,
    or None to stop here. A node that dies or gives up begins its next life at its next turn. `run` and `outcome` tell
    what was left, `steps` how many were taken, `struck` which misfortunes there were.
    """

    def __init__(self, handlers, job, count=1, hurts=None, schedule=min):
        handlers = handlers if isinstance(handlers, list) else [handlers] * count
        self.world, self.parcels, self.lives = HurtWorld(job, hurts or {}), [pack(one) for one in handlers], []
        nodes = dict.fromkeys(range(len(handlers)))
        while nodes and (number := schedule(sorted(nodes))) is not None:
            found = self._go_on(nodes, number)
            assert found != "endless", "these nodes go on for ever"
            if found == "died" or found[0] == "gave up":
                nodes[number] = None
            elif found != "step":
                assert found == ("ended", None), found[1]
                del nodes[number]
        engine, database = self.world.engine, self.world.database
        self.run = Run.of("simulated", job, self.world.plan, engine, database, self.world.recorder)
        self.outcome, self.steps, self.struck = self.run.outcome, self.world.steps, self.world.struck
        for life in self.lives:
            self.world.bury(life)

    def _go_on(self, nodes, number):
        if nodes[number] is not None:
            return nodes[number].switch()
        assert len(self.lives) < LIVES, "too many lives"
        nodes[number] = greenlet(live)
        self.lives.append(nodes[number])
        return nodes[number].switch(self.world, unpack(self.parcels[number]))


def in_turns(turns):
    """Return the schedule that follows `turns` as long as it can, and then lets one node after the other end."""
    turns = iter(turns)
    return lambda left: next((number for number in turns if number in left), left[0])


def right(handler, job):
    """Return the outcomes that are right."""
    return {ideal.outcome for ideal in ideal_outcomes(handler, job)}


def alone(handler, job, life=1):
    """Yield `Nodes` of one node, for each kind of misfortune at each step of its first or another life."""
    before = {(one, 1): "crash before" for one in range(1, life)}
    for kind in KINDS:
        for step in itertools.count(1):
            nodes = Nodes(handler, job, hurts={**before, (life, step): kind})
            if len(nodes.struck) <= len(before):
                break
            yield nodes


def in_between(handlers, job):
    """Yield `Nodes` of two: one stalls after some steps, the other goes on and stalls, then both end."""
    handlers = handlers if isinstance(handlers, list) else [handlers] * 2
    longest = [Nodes([handler], job).steps for handler in handlers]
    for first, second in itertools.product(range(1, longest[0] + 1), range(1, longest[1] + 1)):
        yield Nodes(handlers, job, schedule=in_turns([0] * first + [1] * second))


def at_random(handlers, job, seed, hurts=2):
    """Return `Nodes` under a random schedule with some random misfortunes."""
    chance, count = random.Random(seed), len(handlers)
    kinds = {(chance.randint(1, count + 1), chance.randint(1, 30)): chance.choice(KINDS) for _ in range(hurts)}
    stay, last = chance.choice((0, 0.5, 0.9)), None

    def schedule(left):
        nonlocal last
        if last not in left or chance.random() >= stay:
            last = chance.choice(left)
        return last

    return Nodes(handlers, job, hurts=kinds, schedule=schedule)


ONE, TWO, THREE = (Job(items=items) for items in (1, 2, 3))
