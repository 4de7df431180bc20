"""A process that lives one life of a handler on stores in SQLite files, beside others that do the same."""

import os
import random

from exactly_once import FaultPlan, Job, Program
from exactly_once.node import Stores, World, live
from exactly_once.stores import SQLiteStore
from exactly_once.trace import Recorder


class ProcessWorld(World):
    """A world in one process: stores are shared with others, the recorder is not."""

    def __init__(self, folder, job, dies_at=None):
        stores = Stores(lambda name: SQLiteStore(folder / f"{name}.sqlite"))
        super().__init__(stores, Recorder(), FaultPlan(), [Program(live, job)])
        self.steps, self.dies_at = 0, dies_at

    def turn(self, event):
        self.steps += 1
        if self.steps == self.dies_at:
            os.kill(os.getpid(), 9)

    def choose(self, options):
        return random.choice(options)

    def die(self, fault, life):
        raise AssertionError("the plan is empty")


def one_life(folder, items, handler, dies_at, together):
    """Live one life, begun `together` with others if there is a barrier; be killed by SIGKILL before step
    `dies_at`.
    """
    world = ProcessWorld(folder, Job(items=items), dies_at)
    if together is not None:
        together.wait()
    ending = live(world, handler)
    assert ending == ("ended", None), ending
