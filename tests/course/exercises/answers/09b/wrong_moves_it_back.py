# Plausible: right alone.
"""Moves the hint with the version of a second read, without a look at where it stands now."""

REASON = "The hint goes back"


def answer(registers, name, value):
    index = registers.read(f"{name}.hint")[1] or 0
    while not registers.cas(f"{name}.{index}", 0, value):
        index += 1
    registers.cas(f"{name}.hint", registers.read(f"{name}.hint")[0], index + 1)
    return index
