# Plausible: right for three of the four settings.
"""Believes that a lost request is a lost record even when it is sent again."""

REASON = "its request was lost, and it was sent again"

answer = {
    ("retry", "last"): {"lost": [5], "doubled": [2, 6]},
    ("retry", "first"): {"lost": [7, 8], "doubled": [2]},
    ("give up", "last"): {"lost": [5], "doubled": [4, 6]},
    ("give up", "first"): {"lost": [5, 7], "doubled": []},
}
