REASON = "nothing was carried out, and nobody tries again"


def answer(increment):
    try:
        increment()
    except TimeoutError:
        increment()
