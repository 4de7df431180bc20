"""Answers yes or no."""

REASON = "say 'accept', 'duplicate' or 'refuse'"


def answer(last, first, count):
    return last is None or first == sum(last) % 2**31
