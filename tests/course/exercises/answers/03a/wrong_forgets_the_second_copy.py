"""Looks at the consumer alone: the doubled record in the log is left out."""

REASON = "it was sent again, and is in the log twice"

answer = {
    ("retry", "last"): {"lost": [], "doubled": [6]},
    ("retry", "first"): {"lost": [7, 8], "doubled": [2]},
    ("give up", "last"): {"lost": [5], "doubled": [4, 6]},
    ("give up", "first"): {"lost": [5, 7], "doubled": []},
}
