"""Forgets the lost request of the producer that gives up."""

REASON = "nobody sent it again"

answer = {
    ("retry", "last"): {"lost": [], "doubled": [2, 6]},
    ("retry", "first"): {"lost": [7, 8], "doubled": [2]},
    ("give up", "last"): {"lost": [], "doubled": [4, 6]},
    ("give up", "first"): {"lost": [5, 7], "doubled": []},
}
