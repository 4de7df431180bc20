"""The receipt takes the larger of the two, and adds nothing."""

REASON = "the step of 1 is missing"
answer = {"p1": [1, 2, 2, 3], "p2": [1, 2, 4, 5], "p3": [1, 2, 3, 3, 4, 4]}
