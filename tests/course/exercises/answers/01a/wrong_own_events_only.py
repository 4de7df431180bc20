# Plausible: the stamps of p1 and p3 are right.
"""Each process counts its own events."""

REASON = "count each process's own events"
answer = {"p1": [1, 2, 3, 4], "p2": [1, 2, 3, 4], "p3": [1, 2, 3, 4, 5, 6]}
