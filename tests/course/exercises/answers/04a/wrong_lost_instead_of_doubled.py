"""Thinks that what a dead process had begun is lost."""

REASON = "life 1 had pushed it before it died"
answer = {"doubled": [], "missing": [4], "wrong": [], "counter": 6}
