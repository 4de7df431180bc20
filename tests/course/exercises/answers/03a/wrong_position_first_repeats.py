"""Takes position first for position last."""

REASON = "whose position was saved first: what had no effect by the death never has one"

answer = {
    ("retry", "last"): {"lost": [], "doubled": [2, 6]},
    ("retry", "first"): {"lost": [], "doubled": [2, 6]},
    ("give up", "last"): {"lost": [5], "doubled": [4, 6]},
    ("give up", "first"): {"lost": [5, 7], "doubled": []},
}
