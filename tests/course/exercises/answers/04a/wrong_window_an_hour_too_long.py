"""Counts the window as three hours: a reading leaves at hour n + 2."""

REASON = "Hour 6 is not wrong"
answer = {"doubled": [4], "missing": [], "wrong": [4, 5, 6], "counter": 8}
