"""Waits until the hint stands at the cell that it found: behind a pusher who died there, for ever."""

REASON = "does not come to an end"


def answer(registers, name, value):
    while True:
        version, hint = registers.read(f"{name}.hint")
        index = hint or 0
        if registers.cas(f"{name}.{index}", 0, value):
            registers.cas(f"{name}.hint", version, index + 1)
            return index
