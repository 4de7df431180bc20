# Plausible: the stamps of p1 are right.
"""The receipt takes the message's stamp plus 1, whatever the clock was at."""

REASON = "a clock can go back"
answer = {"p1": [1, 2, 3, 4], "p2": [1, 2, 5, 6], "p3": [1, 2, 3, 3, 4, 5]}
