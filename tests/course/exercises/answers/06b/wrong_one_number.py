"""Returns the offset alone."""

REASON = "return a pair"


def answer(log, high):
    return high
