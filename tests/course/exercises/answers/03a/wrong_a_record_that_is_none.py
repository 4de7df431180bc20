"""Names a record that was never sent."""

REASON = "between 1 and 8"

answer = {
    ("retry", "last"): {"lost": [], "doubled": [2, 6]},
    ("retry", "first"): {"lost": [7, 8, 9], "doubled": [2]},
    ("give up", "last"): {"lost": [5], "doubled": [4, 6]},
    ("give up", "first"): {"lost": [5, 7], "doubled": []},
}
