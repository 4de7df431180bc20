"""Halfway numbers."""

REASON = "which is no whole number"


def answer(clock, stamp):
    return max(clock, stamp) + 0.5
