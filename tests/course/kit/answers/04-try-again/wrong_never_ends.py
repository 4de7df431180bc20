from exactly_once.errors import OutcomeUnknown

REASON = "again and again, and do not return"


def answer(increment):
    while True:
        try:
            increment()
        except OutcomeUnknown:
            continue
