"""Takes the number of the batch for that of its records."""

REASON = "is the number that comes next"


def answer(last, first, count):
    if last is None:
        return "accept"
    if (first, count) == tuple(last):
        return "duplicate"
    return "accept" if first == (last[0] + 1) % 2**31 else "refuse"
