from exactly_once.lockfree.pushers import cells_of

REASON = "this can be"


def answer(view):
    cells = cells_of(view.registers)
    return len(set(cells)) == len(cells)
