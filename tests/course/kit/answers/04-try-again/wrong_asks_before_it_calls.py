from exactly_once.errors import OutcomeUnknown

REASON = "nobody tries again"  # there is nothing to be asked


def answer(increment):
    try:
        done = increment()
    except OutcomeUnknown:
        done = True
    if done is False:
        increment()
