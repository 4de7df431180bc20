# Plausible: right while the workers finish in order and the offsets have no gaps.
"""Counts what is finished, as if offsets had no gaps and no order."""

REASON = "a worker still has the record at offset 0"


def answer(began, handed_out, finished):
    return began + len(finished)
