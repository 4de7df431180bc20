"""Sorts the brokers in sync by their log ends, and takes the middle of three numbers."""


def answer(before, ends, in_sync, minimum):
    first, *_ = sorted(in_sync, key=lambda broker: ends[broker])
    most = ends[first] if len(in_sync) >= minimum else before
    return sorted([before, most, max(ends.values())])[1]
