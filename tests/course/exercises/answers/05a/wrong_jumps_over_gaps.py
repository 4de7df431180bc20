"""Takes whatever is larger, like a Lamport clock."""

REASON = "number 1 could only come behind it"


def answer(last, first, count):
    if last is None or first >= sum(last):
        return "accept"
    return "duplicate"
