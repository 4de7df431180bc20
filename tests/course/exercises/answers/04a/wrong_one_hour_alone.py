"""Takes the harm for over with the pass in which the crash came."""

REASON = "left out one hour of 2"
answer = {"doubled": [4], "missing": [], "wrong": [4], "counter": 8}
