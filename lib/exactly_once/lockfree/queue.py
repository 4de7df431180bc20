"""A lock-free queue over versioned registers: a cell for each index, and a hint at where the empty ones begin.

Nobody locks anything: whoever finds a cell taken moves on to the next, so a push fails only because another one
succeeded. Values are never removed, so there can be many readers, each with an index of its own.
Source: the article on heterogeneous concurrent exactly-once processing by lock-free half-transactions.
"""

from ..errors import OutcomeUnknown, whole
from ..stores.codec import encode

EMPTY = 0  # the version of a register that nothing was written to
HINT = ".hint"  # how the name of the register ends that holds the hint


def cell(name, index):
    """Return the name of the register that holds the value at `index` of the queue `name`."""
    return f"{name}.{index}"


def index_in(name, register):
    """Return the index of a register that is a cell of the queue `name`, or None for any other register."""
    queue, _, index = register.rpartition(".")
    return int(index) if queue == name and index.isdecimal() else None


class Queue:
    """The queue `name` over the registers of a node. Any operation may raise `OutcomeUnknown`, as its steps may.

    Only the hint forgives that: it may lag behind, since the cells themselves tell which is empty.
    """

    def __init__(self, registers, name):
        self.registers = registers
        self.name = name

    def push(self, value):
        """Put a value into the first empty cell and return its index.

        After `OutcomeUnknown` nobody can tell whether it is in the queue: to push again may push twice.
        """
        version, start = self._hint()
        index = start
        while not self.push_at(value, index):
            index += 1
        self._move_hint(version, start, index + 1)
        return index

    def next_index(self):
        """Return the index of a cell that was empty when it was looked at. Writes no value."""
        version, start = self._hint()
        index = start
        while self.registers.read(cell(self.name, index))[0] != EMPTY:
            index += 1
        self._move_hint(version, start, index)
        return index

    def push_at(self, value, index):
        """Put a value into the cell at `index` if that is empty, and return whether it was."""
        return self.registers.cas(cell(self.name, whole("an index", index)), EMPTY, value)

    def push_at_idempotent(self, value, index):
        """Put a value into the cell at `index`, and return whether the cell holds it now.

        Done again, by whomever, it changes nothing. Two producers of one queue must not push equal values, since each
        would take the other's for its own: they put their names into them.
        """
        return self.push_at(value, index) or encode(self.read(index)[1]) == encode(value)

    def read(self, index):
        """Return (True, value) for the cell at `index`, or (False, None) while it is empty."""
        version, value = self.registers.read(cell(self.name, whole("an index", index)))
        return version != EMPTY, value

    def read_from(self, index):
        """Return the list of the values from `index` on, up to the first empty cell."""
        values, (found, value) = [], self.read(index)
        while found:
            values.append(value)
            found, value = self.read(index + len(values))
        return values

    def _hint(self):
        version, hint = self.registers.read(f"{self.name}{HINT}")
        return version, hint or 0

    def _move_hint(self, version, hint, index):
        """Move the hint forward, never backward; if another moved it meanwhile, leave it to that one."""
        if index > hint:
            try:
                self.registers.cas(f"{self.name}{HINT}", version, index)
            except OutcomeUnknown:
                return  # where the hint stands does not matter, so it need not be known
