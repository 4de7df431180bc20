"""Asks again where readers begin whenever it meets an emptied cell."""

from exactly_once.lockfree.queue import is_emptied


def first(registers, name):
    return registers.read(f"{name}.first")[1] or 0


def answer(registers, name, index):
    index, found = max(index, first(registers, name)), []
    while True:
        version, value = registers.read(f"{name}.{index}")
        if version == 0:
            return found, index
        if is_emptied(value):
            index = max(index + 1, first(registers, name))
        else:
            found.append((index, value))
            index += 1
