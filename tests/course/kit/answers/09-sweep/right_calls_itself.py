from exactly_once.lockfree.queue import cell, emptied, is_emptied


def answer(registers, is_old, index=0):
    name = cell("queue", index)
    version, value = registers.read(name)
    if version and is_emptied(value):
        return answer(registers, is_old, index + 1)
    if version == 0 or not is_old(value):
        return index
    registers.cas(name, version, emptied(value))
    return answer(registers, is_old, index + 1)
