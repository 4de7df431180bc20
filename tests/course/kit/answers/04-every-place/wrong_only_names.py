REASON = "which is no fault plan"


def answer(steps):
    return steps
