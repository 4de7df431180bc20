"""The events numbered as they are drawn."""

REASON = "numbered the events from left to right"
answer = {"p1": [1, 6, 8, 10], "p2": [2, 5, 12, 14], "p3": [3, 4, 7, 9, 11, 13]}
