"""Sorts the brokers in sync by their log ends."""


def answer(ends, in_sync):
    first, *_ = sorted(in_sync, key=lambda broker: ends[broker])
    return ends[first]
