"""Begins again with 1."""

REASON = "After 2147483647 comes 0"


def answer(last, first, count):
    if last is None:
        return "accept"
    if (first, count) == tuple(last):
        return "duplicate"
    return "accept" if first == (sum(last) if sum(last) < 2**31 else 1) else "refuse"
