# Plausible: right but for its steps.
"""Visits every emptied cell that it was overtaken by."""

from exactly_once.lockfree.queue import is_emptied

REASON = "are dropped while it reads"


def answer(registers, name, index):
    index, found = max(index, registers.read(f"{name}.first")[1] or 0), []
    while True:
        version, value = registers.read(f"{name}.{index}")
        if version == 0:
            return found, index
        found += [] if is_emptied(value) else [(index, value)]
        index += 1
