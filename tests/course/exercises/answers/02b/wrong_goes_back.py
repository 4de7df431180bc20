# Plausible: right while nobody leads anew.
"""Moves the high watermark back when a new leader has not heard of its followers."""

REASON = "What readers have seen is not taken back"


def answer(before, ends, in_sync, minimum):
    if len(in_sync) < minimum:
        return before
    return min(ends[broker] for broker in in_sync)
