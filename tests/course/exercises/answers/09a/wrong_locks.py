"""Takes a lock around the two steps: whoever dies with it stops all others."""

REASON = "With two nodes"


def answer(registers, name, index):
    while True:
        version, holder = registers.read("lock")
        if holder in (None, 0) and registers.cas("lock", version, 1):
            break
    at, hint = registers.read(name)
    if (hint or 0) < index:
        registers.cas(name, at, index)
    registers.cas("lock", version + 1, 0)
