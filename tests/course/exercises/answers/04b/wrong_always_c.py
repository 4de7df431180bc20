# Plausible: the order is right.
"""Names the middle letter for every order."""

REASON = "where a crash doubles, but corrupts nothing"


def corrupts_at(order):
    return "C"


answer = {"order": ("output", "counter", "positions", "state"), "corrupts_at": corrupts_at}
