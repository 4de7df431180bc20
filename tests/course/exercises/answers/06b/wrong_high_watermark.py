# Plausible: right as long as no transaction is open.
"""Reads up to the high watermark."""

REASON = "transaction begins there, and it is open"


def answer(log, high):
    aborted = {producer for kind, producer, _ in log if kind == "abort"}
    return high, [value for kind, who, value in log[:high] if kind == "data" and who not in aborted]
