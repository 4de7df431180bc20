"""Leaves the leader out, and fails when it is alone."""

REASON = "fails with ValueError"


def answer(before, ends, in_sync, minimum):
    return min(ends[broker] for broker in in_sync[1:])
