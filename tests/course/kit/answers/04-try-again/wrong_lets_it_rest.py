from exactly_once.errors import OutcomeUnknown

REASON = "nobody tries again"  # right when the reply is lost


def answer(increment):
    try:
        increment()
    except OutcomeUnknown:
        return
