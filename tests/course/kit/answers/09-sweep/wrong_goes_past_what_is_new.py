from exactly_once.lockfree.queue import cell, emptied, is_emptied

REASON = "Pushed: a, b, a; old is a. Your lines leave"


def answer(registers, is_old):
    index, kept = 0, None
    while True:
        version, value = registers.read(cell("queue", index))
        if not version:
            return index if kept is None else kept
        if not is_emptied(value) and is_old(value):
            registers.cas(cell("queue", index), version, emptied(value))
        elif not is_emptied(value) and kept is None:
            kept = index
        index += 1
