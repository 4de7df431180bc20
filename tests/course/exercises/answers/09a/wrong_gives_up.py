# Plausible: right alone.
"""Takes a refused write for somebody's move to where it wants the hint."""

REASON = "although a node has moved it to 3"


def answer(registers, name, index):
    version, hint = registers.read(name)
    if (hint or 0) < index:
        registers.cas(name, version, index)
