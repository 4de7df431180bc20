REASON = "the counter is 5, and without it 4"


def answer(step, kind):
    return 0
