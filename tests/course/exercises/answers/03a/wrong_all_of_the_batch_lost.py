"""Position first: counts the record that had its effect as lost, too."""

REASON = "record 6 is not lost"

answer = {
    ("retry", "last"): {"lost": [], "doubled": [2, 6]},
    ("retry", "first"): {"lost": [6, 7, 8], "doubled": [2]},
    ("give up", "last"): {"lost": [5], "doubled": [4, 6]},
    ("give up", "first"): {"lost": [5, 7], "doubled": []},
}
