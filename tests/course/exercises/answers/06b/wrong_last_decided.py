"""Stops behind the last marker."""

REASON = "All transactions that begin below the high watermark are decided"


def answer(log, high):
    markers = [offset for offset, entry in enumerate(log[:high]) if entry[0] != "data"]
    stable = max(markers) + 1 if markers else 0
    return stable, [value for kind, _, value in log[:stable] if kind == "data"]
