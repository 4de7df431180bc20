"""The receipt adds up the clock and the stamp."""

REASON = "add the two up"
answer = {"p1": [1, 2, 5, 6], "p2": [1, 2, 10, 11], "p3": [1, 2, 3, 6, 7, 14]}
