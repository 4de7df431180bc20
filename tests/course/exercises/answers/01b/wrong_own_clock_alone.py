"""The own clock, and 1."""

REASON = "its receipt must have a larger stamp than its send"


def answer(clock, stamp):
    return clock + 1
