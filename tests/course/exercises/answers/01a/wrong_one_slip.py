# Plausible: all but one stamp are right.
"""One receipt went 1 beyond the message, and the own clock was ahead."""

REASON = "p3.6 receives a message stamped 4"
answer = {"p1": [1, 2, 3, 4], "p2": [1, 2, 6, 7], "p3": [1, 2, 3, 4, 5, 5]}
