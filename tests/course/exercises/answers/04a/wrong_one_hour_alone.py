"""Takes the harm for over with the pass in which the crash came."""

REASON = "left out 1 of the 2 hours"
answer = {"doubled": [4], "missing": [], "wrong": [4], "counter": 8}
