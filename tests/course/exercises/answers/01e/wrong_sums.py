# Plausible: right for the smallest runs.
"""The rows added up: two sums always have an order."""

REASON = "and it should be 'concurrent'"


def answer(one, other):
    one, other = sum(one.values()), sum(other.values())
    return "same" if one == other else "before" if one < other else "after"
