"""Registers with weaker guarantees: the failures of the queue on them show the guarantees that it needs.

Each is built from a node's versioned registers, so the explorer goes through every schedule of them as well. A read
that lags is a choice of the world's (`node.choose`): every value that it may answer with is tried.
"""

from ..errors import one_of, whole
from ..stores.codec import encode
from .queue import EMPTY, Queue, cell, checked_value, emptied

COUNTED = "stale reads"  # its version is the number of reads that were stale
READS = ("hint", "search", "compare")  # of a queue, which may be those of a weaker store


class ByValue:
    """Registers that know no versions: compare-and-swap compares the value itself.

    In place of the version, `read` returns a list that holds the value, or `EMPTY` where nothing was written.
    """

    def __init__(self, registers):
        self._registers = registers

    def read(self, name):
        """Return ([value], value), or (`EMPTY`, None)."""
        value = self._registers.read(name)[1]
        return EMPTY if value is None else [value], value

    def cas(self, name, expected, value):
        """Write a value if the register holds the content read as `expected`, and return whether it did."""
        return self._registers.cas_value(name, None if expected == EMPTY else expected[0], value)


class Forgetful:
    """Versioned registers in which a deletion forgets the version too: the next one begins at 0 again."""

    def __init__(self, registers):
        self._registers = registers

    def read(self, name):
        """Return (version, value); (0, None) when nothing was written, or what was has been forgotten."""
        return tuple(self._registers.read(name)[1] or (EMPTY, None))

    def cas(self, name, expected_version, value):
        """Write `value` if the version is the expected one, and return whether it was written."""
        return self._set(name, expected_version, [expected_version + 1, value])

    def forget(self, name, expected_version):
        """Delete a register, and its version with it, if that is the expected one; return whether it was."""
        return self._set(name, expected_version, [EMPTY, None])

    def _set(self, name, expected_version, held):
        while True:
            beneath, found = self._registers.read(name)
            if (found or (EMPTY,))[0] != expected_version:
                return False
            if self._registers.cas(name, beneath, held):
                return True


class Histories:
    """Registers that keep all their values, so that a read can answer with an older one.

    With `choose` (a node's) each read is stale or not, by itself: it may answer with any version that there ever was,
    0 included. Without it every read answers with the newest. Writes are always compared with the newest version.
    `most` is how many reads may be stale in all; the version of a register counts them.
    """

    def __init__(self, registers, choose=None, most=None):
        self._registers, self._choose, self._most = registers, choose, most

    def read(self, name):
        """Return (version, value), perhaps of an earlier moment."""
        history = self._registers.read(name)[1] or []
        version = len(history)
        if self._choose is not None and version and self._may_be_stale():
            seen = [f"version {older}" for older in range(version + 1)]
            newest, version = version, seen.index(self._choose(seen))
            if self._most is not None and version < newest:
                self._registers.cas(COUNTED, self._registers.read(COUNTED)[0], True)
        return (version, history[version - 1]) if version else (EMPTY, None)

    def _may_be_stale(self):
        return self._most is None or self._registers.read(COUNTED)[0] < self._most

    def cas(self, name, expected_version, value):
        """Write `value` if the newest version is the expected one, and return whether it was written."""
        version, history = self._registers.read(name)
        history = history or []
        return len(history) == expected_version and self._registers.cas(name, version, [*history, value])

    def cas_or_found(self, name, expected_version, value):
        """Do what `cas` does; return (whether it was written, the newest value that the register then holds)."""
        while True:
            version, history = self._registers.read(name)
            history = history or []
            if len(history) != expected_version:
                return False, history[-1] if history else None
            if self._registers.cas(name, version, [*history, value]):
                return True, value


class AnsweredQueue(Queue):
    """The queue over registers whose `cas`, when it is refused, answers with the present content: `cas_or_found`.

    So `push_at_idempotent` needs no read after it that could be stale. `next_index` still reads.
    """

    def push_at_idempotent(self, value, index):
        """Put a value into the cell at `index`; return whether the cell holds it now, or held it until retention."""
        _, found = self.registers.cas_or_found(cell(self.name, index), EMPTY, checked_value(value))
        return encode(found) in (encode(value), encode(emptied(value)))


def stale_reads(*reads, queue=Queue, most=None):
    """Return a maker of a node's queue in which these reads may be stale: "hint", "search", "compare".

    `most` is how many reads may be stale in all. The maker's queue is "queue" in the node's registers, unless it is
    given a store and another name.

    Raises `BadInput` for any other, and for a number below 0.
    """
    for read in reads:
        one_of("the read", read, READS)
    if most is not None:
        whole("The number of stale reads", most)

    def queue_of(node, store=None, name="queue"):
        registers = node.registers if store is None else node.store(store)
        late = Histories(registers, node.choose, most)
        return queue(Histories(registers), name, **dict.fromkeys(reads, late))

    return queue_of
