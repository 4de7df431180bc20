"""Shows nothing while too few are in sync."""

REASON = "What readers have seen is not taken back"


def answer(before, ends, in_sync, minimum):
    if len(in_sync) < minimum:
        return 0
    return max(before, min(ends[broker] for broker in in_sync))
