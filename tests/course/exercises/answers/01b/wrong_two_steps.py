"""The tick of the receipt, and another for the message."""

REASON = "larger than both, but the rule goes 1 beyond"


def answer(clock, stamp):
    clock = max(clock, stamp) + 1
    return clock + 1
