"""Each of the two plus 1, and the larger of those."""


def answer(clock, stamp):
    return max(clock + 1, stamp + 1)
