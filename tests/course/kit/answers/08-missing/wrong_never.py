REASON = "returns 0. In this run 7 is gone"


def answer(stage, step, kind, amount):
    return 0
