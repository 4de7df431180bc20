# Plausible: right but for its steps.
"""Always walks from the first cell."""

REASON = "it pays for the same walk again"


def answer(registers, name, value):
    index = 0
    while not registers.cas(f"{name}.{index}", 0, value):
        index += 1
    return index
