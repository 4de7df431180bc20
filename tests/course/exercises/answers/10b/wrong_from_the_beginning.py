from exactly_once.lockfree.queue import emptied

REASON = "a push takes 25 steps"


def answer(registers, name, message, since):
    index = 0
    while not registers.cas(f"{name}.{index}", 0, message):
        if registers.read(f"{name}.{index}")[1] in (message, emptied(message)):
            return index
        index += 1
    return index
