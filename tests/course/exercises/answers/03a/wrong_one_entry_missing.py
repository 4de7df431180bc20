"""Leaves a setting out."""

REASON = "it has an entry for each of"

answer = {("retry", "last"): {"lost": [], "doubled": [2, 6]}}
