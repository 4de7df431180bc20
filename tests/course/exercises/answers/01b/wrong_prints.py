"""Printed, and not returned for some."""

REASON = "which is no whole number"


def answer(clock, stamp):
    if clock > 0:
        return None
    return max(clock, stamp) + 1
