"""Refuses what is there already."""

REASON = "goes on sending it until somebody acknowledges it"


def answer(last, first, count):
    return "accept" if last is None or first == sum(last) % 2**31 else "refuse"
