# Plausible: right for three of the four settings.
"""Believes that a lost acknowledgement doubles even without a second request."""

REASON = "the producer let the matter rest"

answer = {
    ("retry", "last"): {"lost": [], "doubled": [2, 6]},
    ("retry", "first"): {"lost": [7, 8], "doubled": [2]},
    ("give up", "last"): {"lost": [5], "doubled": [2, 4, 6]},
    ("give up", "first"): {"lost": [5, 7], "doubled": []},
}
