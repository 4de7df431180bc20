from exactly_once.lockfree.queue import cell, emptied, is_emptied

REASON = "have looked at cells 50 times"


def answer(registers, is_old):
    index = 0
    while True:
        version, value = registers.read(cell("queue", index))
        if version and not is_emptied(value) and not is_old(value):
            return index
        registers.cas(cell("queue", index), version, emptied(value))
        index += 1
