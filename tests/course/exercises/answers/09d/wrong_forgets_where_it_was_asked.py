# Plausible: right from the beginning on.
"""Begins where readers begin, whatever it was asked for."""

from exactly_once.lockfree.queue import is_emptied


def first(registers, name):
    return registers.read(f"{name}.first")[1] or 0


REASON = "it was asked for those from 1 on"


def answer(registers, name, index):
    index, found = first(registers, name), []
    while (cell := registers.read(f"{name}.{index}"))[0]:
        found += [] if is_emptied(cell[1]) else [(index, cell[1])]
        index = max(index + 1, first(registers, name)) if is_emptied(cell[1]) else index + 1
    return found, index
