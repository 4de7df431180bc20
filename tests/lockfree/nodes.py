"""Several nodes on shared stores in memory, under a given schedule, with faults at steps given by their number.

A fault plan names the first step of a kind at an item; here each step of each life can be hurt.
"""

import itertools
import random

from exactly_once.faults import Fault, FaultPlan
from exactly_once.pipeline import Job
from exactly_once.simulate.hub import Actor
from exactly_once.simulate.places import programs_of
from exactly_once.simulate.replay import ActorWorld, Hub
from exactly_once.verdict import Run, ideal_outcomes

KINDS = ("crash before", "crash after", "lost request", "lost reply", "duplicated request")
LIVES = 40
MOST_STEPS = 20_000


class HurtWorld(ActorWorld):
    """A world whose faults are {(life, number of the step): kind}."""

    def striking(self, at, kind, items, life):
        hub = self.run
        if hub.hurts.get((life, self.event.step)) == kind:
            number, fault = len(hub.struck), Fault(at, items[0] if items else None, kind)
            hub.struck.append((life, self.event.step, at, kind))
            hub.plan = FaultPlan((*hub.plan.faults, fault))
            yield str(number), fault

    def turn(self, event):
        self.run.steps += 1
        super().turn(event)

    def choose(self, options):
        return self.run.choices.choice(options)


class HurtHub(Hub):
    """Lives begin when they are told to."""

    world = HurtWorld

    def __init__(self, handlers, job, hurts):
        super().__init__(programs_of(handlers, job), FaultPlan())
        self.hurts, self.struck = hurts, []

        self.choices = random.Random(0)

    def _look(self, actor):
        """Leave it to the nodes when the next life begins."""


class Nodes:
    """`count` nodes that run a handler, or one handler each, until all have ended.

    `schedule` is called with the numbers of the unfinished nodes before each step, and returns the one that goes on,
    or None to stop here. A node that dies or gives up begins its next life at its next turn. `run` and `outcome` tell
    what was left, `steps` how many were taken, `struck` which faults there were.
    """

    def __init__(self, handlers, job, count=1, hurts=None, schedule=min):
        handlers = handlers if isinstance(handlers, list) else [handlers] * count
        self.hub = HurtHub(handlers, job, hurts or {})
        nodes = {number: Actor(number) for number in range(len(handlers))}
        while nodes and (number := schedule(sorted(nodes))) is not None:
            found = self._go_on(nodes[number])
            if found == "died" or found[0] == "gave up":
                nodes[number].life = None
            elif found != "step":
                assert found == ("ended", None), found[1]
                del nodes[number]
        hub, self.lives = self.hub, self.hub.recorder.lives
        self.run = Run.of("simulated", hub.programs, hub.plan, hub.stores, hub.recorder)
        self.outcome, self.steps, self.struck = self.run.outcome, hub.steps, hub.struck
        hub.close()

    def _go_on(self, actor):
        if actor.life is not None:
            self.hub.go_on(actor)
        else:
            assert len(self.hub.recorder.lives) < LIVES, "too many incarnations"
            self.hub.begin(actor)
        assert self.hub.steps < MOST_STEPS, "these nodes go on for ever"
        return actor.found


def in_turns(turns):
    """Return the schedule that follows `turns` as long as it can, and then lets one node after the other end."""
    turns = iter(turns)
    return lambda left: next((number for number in turns if number in left), left[0])


def right(handler, job):
    """Return the outcomes that are right."""
    return {ideal.outcome for ideal in ideal_outcomes(handler, job)}


def alone(handler, job, life=1):
    """Yield `Nodes` of one node, for each kind of fault at each step of its first or another life."""
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
    """Return `Nodes` under a random schedule with some random faults."""
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
