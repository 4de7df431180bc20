from exactly_once.errors import OutcomeUnknown
from exactly_once.lockfree.queue import emptied


def answer(registers, name, message, since):
    while True:
        try:
            return first_of(registers, name, message, since)
        except OutcomeUnknown:
            pass


def first_of(registers, name, message, index):
    cell = f"{name}.{index}"
    if registers.cas(cell, 0, message) or registers.read(cell)[1] in (message, emptied(message)):
        return index
    return first_of(registers, name, message, index + 1)
