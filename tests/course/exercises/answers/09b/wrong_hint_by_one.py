# Plausible: right but for its steps.
"""Moves the hint by one, however far it has walked."""

REASON = "it pays for the same walk again"


def answer(registers, name, value):
    version, hint = registers.read(f"{name}.hint")
    index = hint or 0
    while not registers.cas(f"{name}.{index}", 0, value):
        index += 1
    registers.cas(f"{name}.hint", version, (hint or 0) + 1)
    return index
