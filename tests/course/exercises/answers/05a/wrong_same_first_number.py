# Plausible: right for batches that are sent again as they were.
"""Compares the first numbers alone."""

REASON = "is not the batch numbers 4 to 5, only near it"


def answer(last, first, count):
    if last is None:
        return "accept"
    if first == last[0]:
        return "duplicate"
    return "accept" if first == sum(last) % 2**31 else "refuse"
