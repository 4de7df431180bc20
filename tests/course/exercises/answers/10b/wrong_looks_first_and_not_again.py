# Plausible: a new life finds what an earlier one has pushed, but not what a twin pushes meanwhile.
from exactly_once.lockfree.queue import emptied

REASON = "is in the queue 2 times"


def answer(registers, name, message, since):
    index = since
    while (cell := registers.read(f"{name}.{index}"))[0]:
        if cell[1] in (message, emptied(message)):
            return index
        index += 1
    while not registers.cas(f"{name}.{index}", 0, message):
        index += 1
    return index
