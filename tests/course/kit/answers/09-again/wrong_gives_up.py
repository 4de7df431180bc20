from exactly_once.errors import OutcomeUnknown

REASON = "one request is lost: After this schedule the number is 0, and 1 is right"


def answer(registers, by, who):
    try:
        while True:
            version, held = registers.read("number")
            if registers.cas("number", version, [(held or [0])[0] + by]):
                return
    except OutcomeUnknown:
        pass
