"""Adds one, so that two nodes together move it too far, to an index that nobody named."""

REASON = "to which nobody has moved it"


def answer(registers, name, index):
    while True:
        version, hint = registers.read(name)
        if (hint or 0) >= index:
            return
        registers.cas(name, version, (hint or 0) + 1)
