"""Registers in a dictionary: the same operations as a node's, for one who wants to look at them without a node."""

from ..stores.codec import decode, encode


class Memory:
    """Versioned registers, in memory, of a single caller.

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
        version, text = self.cells.get(name, (0, "null"))
        self.log.append(f"read {name}: version {version}, {text}")
        return version, decode(text)

    def cas(self, name, expected_version, value):
        """Write `value` if the register's version is `expected_version`, and return whether it was written."""
        version, _ = self.cells.get(name, (0, "null"))
        fits = version == expected_version
        if fits:
            self.cells[name] = version + 1, encode(value)
        self.log.append(f"cas {name}, version {expected_version}: {encode(value)}: {'done' if fits else 'refused'}")
        return fits
