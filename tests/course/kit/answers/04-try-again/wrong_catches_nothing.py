REASON = "nothing was carried out, and nobody tries again"


def answer(increment):
    increment()
