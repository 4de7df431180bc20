"""Writes words where hours are asked for."""

REASON = "An hour that is doubled"
answer = {"doubled": "hour 4", "missing": [], "wrong": [4, 5], "counter": 8}
