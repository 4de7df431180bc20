"""The state of a run of pushers: cells, hint, helpers, and a verdict; read off a replay's own trace."""

from functools import cached_property
from typing import NamedTuple

from ...lockfree.progress import HELD, LOCK, RESERVED
from ...lockfree.pushers import QUEUE
from ...lockfree.queue import HINT, index_in
from ...node.access.handles import register_in
from ..player.scene import Position

HINT_REGISTER = f"{QUEUE}{HINT}"
PLACE = "place of "
ONE_VALUE = ("spinlock", "reserving")  # queues whose pushers push one value, their number


class Cell(NamedTuple):
    """A cell: its index, its version, its value (None: nothing yet), and the node that wrote it, from 0."""

    at: int
    version: int
    value: object
    node: int | None


class Help(NamedTuple):
    """A move in which a pusher moved the hint past cells that others had filled: `of` are these others, from 0."""

    move: int
    node: int
    of: tuple
    cells: tuple


class Moment(Position):
    """The state after a schedule: `pushed` maps each node to the values that it pushes."""

    @cached_property
    def pushed(self):
        """{node: the values that it pushes}."""
        return pushed(**self.chosen)

    @cached_property
    def writes(self):
        """The writes of registers that took place, as (register, value, node), in order."""
        return [
            (register_in(entry.part), entry.value, self.node_of[entry.life])
            for entry in self.replay.run.writes
            if entry.value is not None and register_in(entry.part)
        ]

    @cached_property
    def registers(self):
        """{name: (version, value, the node that wrote it)}."""
        found = {}
        for name, value, node in self.writes:
            found[name] = (found.get(name, (0, None, None))[0] + 1, value, node)
        return found

    @cached_property
    def cells(self):
        """The cells up to the last written one, as `Cell`s."""
        held = {index_in(QUEUE, name): found for name, found in self.registers.items()}
        last = max((index for index in held if index is not None), default=-1)
        return [Cell(index, *held.get(index, (0, None, None))) for index in range(last + 1)]

    @property
    def hint(self):
        """(version, the index in the hint)."""
        version, value, _ = self.registers.get(HINT_REGISTER, (0, 0, None))
        return version, value or 0

    @property
    def full(self):
        """The number of cells with a value, from the front."""
        return next((cell.at for cell in self.cells if cell.value in (None, RESERVED)), len(self.cells))

    @cached_property
    def places(self):
        """{node: (number of pushed values, the prepared index or None)} of pushers that keep their place."""
        found = {}
        for name, (_, value, _) in self.registers.items():
            if name.startswith(PLACE):
                found[int(name.removeprefix(PLACE)) - 1] = tuple(value)
        return found

    @property
    def lock(self):
        """The node that holds the spinlock, or None."""
        _, value, node = self.registers.get(LOCK, (0, None, None))
        return node if value == HELD else None

    @cached_property
    def helps(self):
        """Each move in which a pusher moved the hint past cells of others."""
        found, hint, writers = [], 0, {}
        for move in self.moves:
            if not move.writes or move.reply != "done" or move.part is None:
                continue
            register = register_in(move.part)
            index = index_in(QUEUE, register)
            if index is not None:
                writers[index] = move.node
            elif register == HINT_REGISTER:
                moved = int(move.effect)
                cells = tuple(cell for cell in range(hint, moved) if writers.get(cell, move.node) != move.node)
                if cells:
                    of = tuple(sorted({writers[cell] for cell in cells}))
                    found.append(Help(move.number, move.node, of, cells))
                hint = moved
        return found

    @cached_property
    def doubled(self):
        """The values that are in the queue more than once."""
        values = [cell.value for cell in self.cells if cell.value not in (None, RESERVED)]
        return sorted({value for value in values if values.count(value) > 1}, key=str)

    @cached_property
    def missing(self):
        """The values of finished pushers that are not in the queue. A correct queue has none."""
        values = [cell.value for cell in self.cells]
        return [value for node in self.ended for value in self.pushed[node] if value not in values]


def told(text):
    """Return a step's text in the chapter's words: "write 1a into cell 0, if its version is 0"."""
    verb, _, rest = text.partition(" ")
    register, _, what = rest.partition(", version ")
    name = named(register)
    if verb == "read":
        return f"read {name}"
    version, _, value = what.partition(": ")
    if register == HINT_REGISTER:
        act = f"move the hint to {value}"
    elif index_in(QUEUE, register) is not None:
        act = f"reserve {name}" if value == RESERVED else f"write {value} into {name}"
    else:
        act = f"note {progress(value)}" if register.startswith(PLACE) else f"write {value} into {name}"
    return f"{act}, if its version is {version}"


def progress(reply):
    """Return a place register's value "[1, 2]" as "1 done, next into cell 2"; any other text unchanged."""
    done, comma, index = reply.removeprefix("[").removesuffix("]").partition(", ")
    if not comma or not reply.startswith("["):
        return reply
    return f"{done} done" + (f", next into cell {index}" if index.isdecimal() else "")


def named(register):
    """Return a register's name on the screen."""
    index = index_in(QUEUE, register)
    if index is not None:
        return f"cell {index}"
    if register == HINT_REGISTER:
        return "the hint"
    return "the lock" if register == LOCK else register.replace(PLACE, "the place of pusher ")


def pushed(queue, pushers, values):
    """Return {node: the values that it pushes}."""
    if queue in ONE_VALUE:
        return {node: [node + 1] for node in range(pushers)}
    return {node: [f"{node + 1}{letter}" for letter in "ab"[:values]] for node in range(pushers)}
