import itertools

from exactly_once.lockfree.queue import cell, emptied, is_emptied


def answer(registers, is_old):
    for index in itertools.count():
        name = cell("queue", index)
        version, value = registers.read(name)
        if version and is_emptied(value):
            continue
        if version == 0 or not is_old(value):
            return index
        registers.cas(name, version, emptied(value))
