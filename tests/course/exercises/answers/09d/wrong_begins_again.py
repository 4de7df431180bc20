# Plausible: right while nothing is swept.
"""Begins anew when it meets an emptied cell, and never ends where the sign for readers lags behind."""

from exactly_once.lockfree.queue import is_emptied


def first(registers, name):
    return registers.read(f"{name}.first")[1] or 0


REASON = "has not come to an end"


def answer(registers, name, index):
    while True:
        at, found = max(index, first(registers, name)), []
        while (cell := registers.read(f"{name}.{at}"))[0]:
            if is_emptied(cell[1]):
                break
            found.append((at, cell[1]))
            at += 1
        else:
            return found, at
