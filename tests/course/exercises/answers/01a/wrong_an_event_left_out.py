"""A list that is too short."""

REASON = "For p2 you give 3 stamps; it has 4 events"
answer = {"p1": [1, 2, 3, 4], "p2": [1, 2, 6], "p3": [1, 2, 3, 4, 5, 6]}
