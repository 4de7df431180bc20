# Plausible: right while the workers finish in order.
"""Saves the position behind the record that was finished last."""

REASON = "a worker still has the record at offset 0"


def answer(began, handed_out, finished):
    return finished[-1] + 1 if finished else began
