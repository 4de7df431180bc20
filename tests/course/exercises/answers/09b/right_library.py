"""Walks from the hint, writes, moves the hint, and lets it be where another was faster."""

from exactly_once.errors import OutcomeUnknown


def answer(registers, name, value):
    version, hint = registers.read(f"{name}.hint")
    start = index = hint or 0
    while not registers.cas(f"{name}.{index}", 0, value):
        index += 1
    try:
        if index + 1 > start:
            registers.cas(f"{name}.hint", version, index + 1)
    except OutcomeUnknown:
        pass
    return index
