from exactly_once.course.kit import gap
from exactly_once.lockfree.pushers import cells_of


def once(view):
    ### BEGIN SOLUTION
    cells = cells_of(view.registers)
    least = 2 if view.done else 0
    return all(least <= cells.count(value) <= 3 for value in ("a", "b"))
    ### END SOLUTION


bounds = gap("09-once", once)
bounds
