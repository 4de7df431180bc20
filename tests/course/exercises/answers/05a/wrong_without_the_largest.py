# Plausible: right for the first 2,147,483,647 records.
"""Forgets that the numbers go around."""

REASON = "After 2147483647 comes 0"


def answer(last, first, count):
    if last is None:
        return "accept"
    if (first, count) == tuple(last):
        return "duplicate"
    return "accept" if first == sum(last) else "refuse"
