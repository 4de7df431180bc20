"""A task that Spark may start twice: each of its attempts is a node of its own, and all are twins."""

import sys
import time
from dataclasses import replace

from ..cluster.processes import host_of_worker
from .folder import found_here
from .world import TaskWorld, live_node


class AttemptWorld(TaskWorld):
    """The world of one attempt. The first one takes its steps slowly, if the notebook asks for it ("slow", in s)."""

    def turn(self, event):
        """Take the time that the first attempt is to take for a step, then go on as in any task."""
        if self.number == 1:
            time.sleep(self.folder.asked().get("slow", 0))
        super().turn(event)

    def placement(self):
        """Return also the host."""
        return super().placement() | {"host": host_of_worker()}

    def comes_last(self):
        """Wake the attempt that was stopped: this one has ended, and Spark has not heard of it yet."""
        self._wake_one()


def live_attempt(inputs):
    """Run the next free node's incarnation for each input, in a worker: the first attempt is node 1.

    An attempt that finds no node left follows one whose process was killed, and goes on for the last node.
    """
    for task_input in inputs:
        folder = found_here(task_input.folder)
        sys.path += [place for place in task_input.path if place not in sys.path]
        nodes = len(task_input.programs)
        node = next((number for number in range(1, nodes) if folder.create(f"attempt-{number}")), nodes)
        ending = live_node(folder, replace(task_input, task=node - 1), node, AttemptWorld)
        folder.end(task_input.task)
        yield ending
