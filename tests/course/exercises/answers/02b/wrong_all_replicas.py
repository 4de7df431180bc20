# Plausible: right while all are in sync.
"""Waits for replicas that are not in sync."""

REASON = "nobody waits for it"


def answer(before, ends, in_sync, minimum):
    return min(ends.values())
