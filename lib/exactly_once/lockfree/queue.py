"""A lock-free queue over versioned registers: a cell for each index, and a hint at where the empty ones begin.

Nobody locks anything: a push that finds a cell taken moves on to the next, so a push fails only because another one
succeeded. Reading removes nothing, so there can be many readers, each with an index of its own. Retention empties
cells from the front, and an emptied cell keeps its version: nobody takes it for one that was never written to.
`Given` are queues that are filled before a run begins, and `Memory` is registers without a node, to look at them.
Source: the article on heterogeneous concurrent exactly-once processing by lock-free half-transactions.
"""

import hashlib
from dataclasses import dataclass, field

from ..errors import BadInput, OutcomeUnknown, whole
from ..node.source import CellSource, Sent, cell
from ..node.world import QUEUES, Stores
from ..stores.codec import Value, decode, encode

EMPTY = 0  # the version of a register that nothing was written to
HINT = ".hint"  # how the name of the register ends that holds the hint
FIRST = ".first"  # how the name of the register ends that says where the cells begin that retention has left
EMPTIED = "emptied"
DIGITS = 16  # of the fingerprint of an emptied value: 64 bits
SENDER = "given"  # of the values in a queue that is filled before a run begins


def cells_in(look, name):
    """Return the contents of the cells of the queue `name` up to the first empty one, where every reader stops.

    `look(register)` returns the value of a register, or None where nothing was written.
    """
    held = []
    while (found := look(cell(name, len(held)))) is not None:
        held.append(found)
    return held


def index_in(name, register):
    """Return the index of a register that is a cell of the queue `name`, or None for any other register."""
    queue, _, index = register.rpartition(".")
    return int(index) if queue == name and index.isdecimal() else None


def emptied(value):
    """Return the replacement of a value that retention removed from a cell: a mark, with the value's fingerprint.

    The fingerprint tells a producer that repeats itself late that the value was its own.
    """
    return {EMPTIED: hashlib.sha256(encode(value).encode()).hexdigest()[:DIGITS]}


def is_emptied(value):
    """Tell whether this is the content of an emptied cell."""
    return isinstance(value, dict) and set(value) == {EMPTIED}


def checked_value(value: Value) -> Value:
    """Return a value that may be put into a queue.

    Raises `BadInput` for one that readers would take for the mark of an emptied cell, and pass over.
    """
    if is_emptied(value):
        raise BadInput(
            f"The value {value!r} looks like what retention leaves in an emptied cell: readers would pass over it. "
            f"Give the key another name than {EMPTIED!r}, or put a second key beside it."
        )
    return value


class Queue:
    """The queue `name` over the registers of a node. Any operation may raise `OutcomeUnknown`, as its steps may.

    Only the hint forgives that: it may lag behind, since the cells themselves tell which is empty.

    `hint`, `search` and `compare` are the registers that are read for the hint, for a cell in `next_index`, and for
    the cell that `push_at_idempotent` compares; they are `registers` unless they are given. So each of these reads
    alone can be made one of a weaker store, as in `weaker`.
    """

    def __init__(self, registers, name, hint=None, search=None, compare=None):
        self.registers = registers
        self.name = name
        self._hint_in = registers if hint is None else hint
        self._search_in = registers if search is None else search
        self._compare_in = registers if compare is None else compare

    def push(self, value):
        """Put a value into the first empty cell and return its index. Raises `BadInput` as `checked_value` does.

        After `OutcomeUnknown` nobody can tell whether it is in the queue: to push again may push twice.
        """
        version, start = self._hint()
        index = start
        while not self.push_at(value, index):
            index += 1
        self._move(HINT, version, start, index + 1)
        return index

    def next_index(self):
        """Return the index of a cell that was empty when it was looked at. Writes no value."""
        version, start = self._hint()
        index = start
        while self._search_in.read(cell(self.name, index))[0] != EMPTY:
            index += 1
        self._move(HINT, version, start, index)
        return index

    def push_at(self, value, index):
        """Put a value into the cell at `index` if that is empty, and return whether it was.

        Raises `BadInput` as `checked_value` does.
        """
        return self.registers.cas(cell(self.name, whole("an index", index)), EMPTY, checked_value(value))

    def push_at_idempotent(self, value, index):
        """Put a value into the cell at `index`, and return whether the cell holds it now, or held it until retention.

        Done again, by whomever, it changes nothing. Two producers of one queue must not push equal values, since each
        would take the other's for its own: they put their names into them.
        """
        if self.push_at(value, index):
            return True
        _, found = self._compare_in.read(cell(self.name, index))
        return encode(found) in (encode(value), encode(emptied(value)))

    def read(self, index):
        """Return (True, value) for the cell at `index`, or (False, None) while it is empty.

        Of a cell that retention emptied the value is one for which `is_emptied` holds.
        """
        version, value = self.registers.read(cell(self.name, whole("an index", index)))
        return version != EMPTY, value

    def read_from(self, index):
        """Return the list of the values from `index` on, up to the first empty cell, without emptied ones."""
        values, (found, value) = [], self.read(index)
        while found:
            values += [] if is_emptied(value) else [value]
            index += 1
            found, value = self.read(index)
        return values

    def sweep(self, is_old):
        """Empty the cells from the front whose values are old, up to the first that is not; return its index.

        Any number may do this at once. `is_old` is a function of a value.
        """
        version, start = self.registers.read(f"{self.name}{FIRST}")
        index = start = start or 0
        while True:
            at, value = self.registers.read(cell(self.name, index))
            if at == EMPTY or not (is_emptied(value) or is_old(value)):
                self._move(FIRST, version, start, index)
                return index
            if not is_emptied(value):
                self._empty(index, at, value)
            index += 1

    def _empty(self, index, version, value):
        self.registers.cas(cell(self.name, index), version, emptied(value))  # refused: another has emptied it

    def _hint(self):
        version, hint = self._hint_in.read(f"{self.name}{HINT}")
        return version, hint or 0

    def _move(self, what, version, start, index):
        """Move the hint, or the first index, forward, never backward; leave it to another that moved it meanwhile."""
        if index > start:
            try:
                self.registers.cas(f"{self.name}{what}", version, index)
            except OutcomeUnknown:
                return  # where it stands does not matter, so it need not be known


@dataclass(frozen=True)
class Given(CellSource):
    """Queues whose values are known: `values` has a tuple of them for each of `queues`.

    So a handler is explored without the handler that would fill its queues. Raises `BadInput` for None in it, which
    stands for an empty queue, and as `checked_value` does.
    """

    values: tuple[tuple[Value, ...], ...] = field(default=(), hash=False)  # a value may be a list

    def __post_init__(self) -> None:
        super().__post_init__()
        lists = self.values if isinstance(self.values, (tuple, list)) else ()
        fit = len(lists) == len(self.queues) and all(isinstance(one, (tuple, list)) for one in lists)
        if not fit:
            raise BadInput(f"The values are {self.values!r}; give a list for each of {', '.join(self.queues)}.")
        if not any(lists):
            raise BadInput(
                f"There is nothing to read: no values are given for {', '.join(self.queues)}. Give at least one, as "
                "in [[1, 2], [3]], which has two for the first queue and one for the second."
            )
        object.__setattr__(self, "values", tuple(map(tuple, lists)))
        for value in (value for values in self.values for value in values):
            encode(checked_value(value))
            if value is None:
                raise BadInput("A queue cannot hold None, which says that there is nothing; give another value.")

    def size(self) -> int:
        """Return how many values there are."""
        return sum(map(len, self.values))

    def end(self) -> dict[str, int]:
        """Return the positions after the last of each."""
        return dict(zip(self.queues, map(len, self.values), strict=True))

    def hours(self) -> set[int]:
        """Return the numbers of the reads: each gives the next value of every queue that has one."""
        return set(range(1, max(map(len, self.values)) + 1))

    def load_inputs(self, stores: Stores) -> None:
        """Put the values into the cells of their queues."""
        there = stores[QUEUES].held("cell")  # the queues that another reader's source has filled
        for queue, values in zip(self.queues, self.values, strict=True):
            for index, value in enumerate(values):
                if cell(queue, index) not in there:
                    sent = Sent(SENDER, index + 1, [value], index + 1)
                    stores[QUEUES].prepare(cell(queue, index), "write", sent)


class Memory:
    """Versioned registers, in memory, of a single caller: the same operations as a node's.

    `steps` counts the operations, and `log` holds one line of text for each.
    """

    def __init__(self):
        self.cells = {}
        self.log = []

    @property
    def steps(self):
        """How many operations there were."""
        return len(self.log)

    def read(self, name):
        """Return (version, value) of a register; (0, None) when nothing was written to it."""
        version, text = self._held(name)
        self.log.append(f"read {name}: version {version}, {text}")
        return version, decode(text)

    def cas(self, name, expected_version, value):
        """Write `value` if the register's version is `expected_version`, and return whether it was written."""
        return self._cas(name, expected_version == self._held(name)[0], f"version {expected_version}", value)

    def cas_value(self, name, expected, value):
        """Write `value` if the register holds `expected`, and return whether it did."""
        return self._cas(name, encode(expected) == self._held(name)[1], f"value {encode(expected)}", value)

    def _cas(self, name, fits, said, value):
        if fits:
            self.cells[name] = self._held(name)[0] + 1, encode(value)
        self.log.append(f"cas {name}, {said}: {encode(value)}: {'done' if fits else 'refused'}")
        return fits

    def _held(self, name):
        return self.cells.get(name, (0, "null"))
