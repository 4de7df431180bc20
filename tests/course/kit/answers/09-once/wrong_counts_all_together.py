from exactly_once.lockfree.pushers import cells_of

REASON = "'a' is there 4 times"


def answer(view):
    cells = cells_of(view.registers)
    return (4 if view.done else 0) <= len(cells) <= 6
