from exactly_once.lockfree.pushers import cells_of

REASON = "The cells hold a, a, a, b, and they go on: this can be"


def answer(view):
    cells = cells_of(view.registers)
    return all((2 if view.done else 0) <= cells.count(value) <= 2 for value in "ab")
