"""Counts replicas, in sync or not, against min.insync.replicas."""

REASON = "of the 2 replicas that min.insync.replicas asks for, 1 is in sync"


def answer(before, ends, in_sync, minimum):
    if len(ends) < minimum:
        return before
    return max(before, min(ends[broker] for broker in in_sync))
