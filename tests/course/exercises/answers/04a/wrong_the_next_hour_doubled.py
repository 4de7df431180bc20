"""Takes the doubled average for that of the hour after the crash."""

REASON = "Hour 5 is not doubled"
answer = {"doubled": [4, 5], "missing": [], "wrong": [4, 5], "counter": 8}
