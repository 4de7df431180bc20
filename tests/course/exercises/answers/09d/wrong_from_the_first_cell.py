# Plausible: right but for its steps.
"""Visits every cell that there ever was."""

from exactly_once.lockfree.queue import is_emptied

REASON = "were dropped before your reader began"


def answer(registers, name, index):
    found = []
    while True:
        version, value = registers.read(f"{name}.{index}")
        if version == 0:
            return found, index
        found += [] if is_emptied(value) else [(index, value)]
        index += 1
