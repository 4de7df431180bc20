"""Counts the next number step by step, and begins again after the largest."""

LARGEST = 2147483647


def answer(last, first, count):
    if not last:
        return "accept"
    expected, left = last
    if [expected, left] == [first, count]:
        return "duplicate"
    while left:
        expected = 0 if expected == LARGEST else expected + 1
        left -= 1
    return "refuse" if expected != first else "accept"
