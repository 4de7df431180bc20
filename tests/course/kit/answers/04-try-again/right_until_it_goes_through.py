from exactly_once.errors import OutcomeUnknown


def answer(increment):
    while True:
        try:
            return increment()
        except OutcomeUnknown:
            continue
