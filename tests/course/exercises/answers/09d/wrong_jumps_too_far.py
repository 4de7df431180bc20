# Plausible: right while nothing is swept.
"""Jumps to where readers begin, and passes over one more."""

from exactly_once.lockfree.queue import is_emptied


def first(registers, name):
    return registers.read(f"{name}.first")[1] or 0


REASON = "this record is lost for its reader"


def answer(registers, name, index):
    index, found = max(index, first(registers, name)), []
    while (cell := registers.read(f"{name}.{index}"))[0]:
        if is_emptied(cell[1]):
            index = max(index, first(registers, name))
        else:
            found.append((index, cell[1]))
        index += 1
    return found, index
