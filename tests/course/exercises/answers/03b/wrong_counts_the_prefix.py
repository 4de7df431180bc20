# Plausible: right in any order, if the offsets have no gaps.
"""Looks for each offset in turn, and stands still before a gap for ever."""

REASON = "would be done again without need"


def answer(began, handed_out, finished):
    while began in finished:
        began += 1
    return began
