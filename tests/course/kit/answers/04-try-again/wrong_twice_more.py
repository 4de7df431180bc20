from exactly_once.errors import OutcomeUnknown

REASON = "one more call is enough"


def answer(increment):
    try:
        increment()
    except OutcomeUnknown:
        increment()
        increment()
