"""The larger of the two, without the step."""

REASON = "its receipt must have a larger stamp than its send"


def answer(clock, stamp):
    return max(clock, stamp)
