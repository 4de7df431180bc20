# Plausible: right for one replica.
"""Counts a majority, as other protocols do."""

REASON = "is in sync and has only the offsets below"


def answer(ends, in_sync):
    return sorted((ends[broker] for broker in in_sync), reverse=True)[len(in_sync) // 2]
