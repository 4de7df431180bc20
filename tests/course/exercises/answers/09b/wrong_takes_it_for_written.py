# Plausible: right alone.
"""Looks for an empty cell, and does not look whether its write came through."""

REASON = "and that cell does not hold it"


def answer(registers, name, value):
    version, hint = registers.read(f"{name}.hint")
    index = hint or 0
    while registers.read(f"{name}.{index}")[0]:
        index += 1
    registers.cas(f"{name}.{index}", 0, value)
    registers.cas(f"{name}.hint", version, index + 1)
    return index
