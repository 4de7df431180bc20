"""Tuples and a range in place of lists."""

answer = {"p3": range(1, 7), "p2": (1, 2, 6, 7), "p1": (1, 2, 3, 4)}
