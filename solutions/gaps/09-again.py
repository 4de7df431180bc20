from exactly_once.course.kit import gap
from exactly_once.errors import OutcomeUnknown


def add_once(registers, by, who):
    ### BEGIN SOLUTION
    while True:
        try:
            version, held = registers.read("number")
            number, names = held or [0, []]
            if who in names:
                return
            if registers.cas("number", version, [number + by, [*names, who]]):
                return
        except OutcomeUnknown:
            pass
    ### END SOLUTION


again = gap("09-again", add_once)
again
