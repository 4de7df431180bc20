REASON = "returns 4"


def answer(step, kind):
    return 4
