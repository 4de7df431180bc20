from exactly_once.lockfree.pushers import cells_of

REASON = "'a' is there 0 times, though both nodes have a push of it that returned"


def answer(view):
    cells = cells_of(view.registers)
    return cells.count("a") <= 3 and cells.count("b") <= 3
