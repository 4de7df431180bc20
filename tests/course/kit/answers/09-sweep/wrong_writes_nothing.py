from exactly_once.lockfree.queue import cell

REASON = "Your lines leave [None] in the cells"


def answer(registers, is_old):
    index = 0
    while True:
        version, value = registers.read(cell("queue", index))
        if not version or not (value is None or is_old(value)):
            return index
        registers.cas(cell("queue", index), version, None)
        index += 1
