"""The three rules, as lists."""

answer = {"p1": [1, 2, 3, 4], "p2": [1, 2, 6, 7], "p3": [1, 2, 3, 4, 5, 6]}
