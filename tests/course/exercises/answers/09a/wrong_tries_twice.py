# Plausible: right alone.
"""Tries twice, and lets it be: nobody said how often others may come first."""

REASON = "With two nodes that move it twice"


def answer(registers, name, index):
    for _ in range(2):
        version, hint = registers.read(name)
        if (hint or 0) >= index or registers.cas(name, version, index):
            return
