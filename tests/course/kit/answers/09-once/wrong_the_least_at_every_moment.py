from exactly_once.lockfree.pushers import cells_of

REASON = "and they go on: this can be"


def answer(view):
    cells = cells_of(view.registers)
    return all(2 <= cells.count(value) <= 3 for value in "ab")
