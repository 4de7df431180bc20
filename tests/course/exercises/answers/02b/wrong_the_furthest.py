"""Takes the longest log of all."""

REASON = "is in sync and has only the offsets below"


def answer(ends, in_sync):
    return max(ends.values())
