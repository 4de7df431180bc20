"""Cuts batches by the records' numbers, as if nothing in the log were shifted."""

REASON = "record 4 is not doubled: it is in the batch 3, 4, 5"

answer = {
    ("retry", "last"): {"lost": [], "doubled": [2, 4, 5, 6]},
    ("retry", "first"): {"lost": [7, 8], "doubled": [2]},
    ("give up", "last"): {"lost": [5], "doubled": [4, 6]},
    ("give up", "first"): {"lost": [5, 7], "doubled": []},
}
