from exactly_once.errors import OutcomeUnknown

REASON = "Two nodes, +1 and -1, and nothing is lost: After this schedule the number is"


def answer(registers, by, who):
    while True:
        try:
            version, held = registers.read("number")
            number, names = held or [0, []]
            if "node" in names or registers.cas("number", version, [number + by, [*names, "node"]]):
                return
        except OutcomeUnknown:
            pass
