"""Writes sets, and a bare number where there is one record."""

answer = {
    ("retry", "last"): {"lost": set(), "doubled": {6, 2}},
    ("retry", "first"): {"lost": {8, 7}, "doubled": 2},
    ("give up", "last"): {"lost": 5, "doubled": {4, 6}},
    ("give up", "first"): {"lost": {7, 5}, "doubled": ()},
}
