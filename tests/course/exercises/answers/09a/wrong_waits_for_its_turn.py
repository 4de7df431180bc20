"""Moves the hint only from the index before its own: if that one never comes, it waits for ever."""

REASON = "has not come to an end"


def answer(registers, name, index):
    while True:
        version, hint = registers.read(name)
        if (hint or 0) >= index:
            return
        if (hint or 0) == index - 1:
            registers.cas(name, version, index)
