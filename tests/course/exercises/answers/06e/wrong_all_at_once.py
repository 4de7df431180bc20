"""Needs every line on the best of days."""

REASON = "the explorer went through all"

answer = {
    "position": "nothing",
    "prepare": "nothing",
    "markers": "nothing",
    "stable": "nothing",
    "new life": "nothing",
    "waiting": "nothing",
    "new transaction": "nothing",
    "asking": "nothing",
}
