# Plausible: right while every answer comes.
"""Lets a lost answer about the hint reach the caller, who will push again."""

REASON = "only the hint's answer was lost"


def answer(registers, name, value):
    version, hint = registers.read(f"{name}.hint")
    index = hint or 0
    while not registers.cas(f"{name}.{index}", 0, value):
        index += 1
    registers.cas(f"{name}.hint", version, index + 1)
    return index
