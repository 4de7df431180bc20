# Plausible: right while nothing is swept.
"""Takes an emptied cell for the end."""

from exactly_once.lockfree.queue import is_emptied

REASON = "this record is lost for its reader"


def answer(registers, name, index):
    index, found = max(index, registers.read(f"{name}.first")[1] or 0), []
    while True:
        version, value = registers.read(f"{name}.{index}")
        if version == 0 or is_emptied(value):
            return found, index + (version > 0)
        found.append((index, value))
        index += 1
