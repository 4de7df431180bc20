# Plausible: it compares each cell, but not with what retention leaves.
REASON = "Retention that empties the first cell"


def answer(registers, name, message, since):
    index = since
    while not registers.cas(f"{name}.{index}", 0, message):
        if registers.read(f"{name}.{index}")[1] == message:
            return index
        index += 1
    return index
