"""Registers: versioned cells of the engine's store, which any node can read, and write with compare-and-swap."""

from ...errors import BadInput, whole
from ...stores.codec import Value, describe
from ..life import Life

_PREFIX = "register."


class Registers:
    """The engine's versioned cells, by name. Each is a part of its own in the store and in the trace."""

    def __init__(self, life: Life) -> None:
        self._life = life

    def read(self, name: str) -> tuple[int, Value]:
        """Return (version, value) of a register; (0, None) when nothing was written to it."""
        part = part_of(name)
        version, value = self._life.step(
            self._life.world.engine, part, "read", name="register.read", text=f"read {name}"
        )
        return version, value

    def cas(self, name: str, expected_version: int, value: Value) -> bool:
        """Write `value` if the register's version is `expected_version`, and return whether it was written.

        Raises `BadInput` for None, which would look like a register that nothing was written to.
        """
        whole("the expected version", expected_version)
        return self._cas(name, expected_version, value, f"version {expected_version}")

    def cas_value(self, name: str, expected: Value, value: Value) -> bool:
        """Write `value` if the register holds `expected` (None: nothing was written), and return whether it did.

        The version is not looked at: a value that changed and came back fits. Raises `BadInput` as `cas` does.
        """
        return self._cas(name, [expected], value, f"value {describe(expected)}")

    def _cas(self, name: str, expected: Value, value: Value, said: str) -> bool:
        part = part_of(name)
        if value is None:
            raise BadInput(f"The register {name!r} was given None to hold; give it a value, such as an empty list.")
        text = f"cas {name}, {said}: {describe(value)}"
        return self._life.step(self._life.world.engine, part, "cas", expected, value, name="register.cas", text=text)


def part_of(name: str) -> str:
    """Return the name of a register's part in the engine's store. Raises `BadInput` for a name that is not text."""
    if not isinstance(name, str) or not name:
        raise BadInput(f"The name of a register is {name!r}; it is text, such as 'machine'.")
    return _PREFIX + name


def register_in(part: str) -> str | None:
    """Return the name of the register behind a part of a store, or None for a part that is no register."""
    return part.removeprefix(_PREFIX) if part.startswith(_PREFIX) else None
