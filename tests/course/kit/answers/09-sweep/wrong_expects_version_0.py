from exactly_once.lockfree.queue import cell, emptied, is_emptied

REASON = "Your lines leave ['a'] in the cells"


def answer(registers, is_old):
    index = 0
    while True:
        version, value = registers.read(cell("queue", index))
        if not version or not (is_emptied(value) or is_old(value)):
            return index
        registers.cas(cell("queue", index), 0, emptied(value))
        index += 1
