# Plausible: right while all are in sync.
"""Waits for replicas that are not in sync."""

REASON = "nobody waits for it"


def answer(ends, in_sync):
    return min(ends.values())
