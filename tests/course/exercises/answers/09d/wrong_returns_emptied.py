# Plausible: right while nothing is swept.
"""Takes an emptied cell for a record."""

REASON = "It returns the emptied cell"


def answer(registers, name, index):
    index, found = max(index, registers.read(f"{name}.first")[1] or 0), []
    while True:
        version, value = registers.read(f"{name}.{index}")
        if version == 0:
            return found, index
        found.append((index, value))
        index += 1
