REASON = "your lines fail: NameError"


def answer(increment):
    try:
        increment()
    except OutcomeUnknown:  # noqa: F821 - not imported
        increment()
    finally:
        done()  # noqa: F821
