# Plausible: right while nothing is swept.
"""Looks at the cell once for its version and once for its value."""

REASON = "It returns the emptied cell"


def answer(registers, name, index):
    index, found = max(index, registers.read(f"{name}.first")[1] or 0), []
    while registers.read(f"{name}.{index}")[0]:
        if registers.read(f"{name}.{index}")[0] == 1:
            found.append((index, registers.read(f"{name}.{index}")[1]))
        index += 1
    return found, index
