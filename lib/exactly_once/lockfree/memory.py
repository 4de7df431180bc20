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
