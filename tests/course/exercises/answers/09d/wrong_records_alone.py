"""Returns no index to go on from."""

REASON = "return the records and the index to go on from"


def answer(registers, name, index):
    found = []
    while (cell := registers.read(f"{name}.{index}"))[0]:
        found.append((index, cell[1]))
        index += 1
    return found
