# Plausible: right while nothing is swept.
"""Goes on from as many cells later as it has found records."""

from exactly_once.lockfree.queue import is_emptied


def first(registers, name):
    return registers.read(f"{name}.first")[1] or 0


REASON = "that record comes twice"


def answer(registers, name, index):
    at, found = max(index, first(registers, name)), []
    while (cell := registers.read(f"{name}.{at}"))[0]:
        found += [] if is_emptied(cell[1]) else [(at, cell[1])]
        at = max(at + 1, first(registers, name)) if is_emptied(cell[1]) else at + 1
    return found, index + len(found)
