# Plausible: right while the clock is behind.
"""The message's stamp, and 1."""

REASON = "the process's clock was at"


def answer(clock, stamp):
    return stamp + 1
