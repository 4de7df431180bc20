"""The first event of each process is stamped 0."""

REASON = "p1.1 is a local event"
answer = {"p1": [0, 1, 2, 3], "p2": [0, 1, 5, 6], "p3": [0, 1, 2, 3, 4, 5]}
