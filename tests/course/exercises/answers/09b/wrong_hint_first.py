# Plausible: right alone.
"""Takes an index by moving the hint, and writes afterwards: whoever dies in between leaves a hole."""

REASON = "past an empty cell"


def answer(registers, name, value):
    while True:
        version, hint = registers.read(f"{name}.hint")
        index = hint or 0
        while registers.read(f"{name}.{index}")[0]:
            index += 1
        if registers.cas(f"{name}.hint", version, index + 1):
            registers.cas(f"{name}.{index}", 0, value)
            return index
