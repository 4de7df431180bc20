# Plausible: the letters are right.
"""Puts the positions first and the state last, so that they disagree for long."""

REASON = "The damage of this order is 15"


def corrupts_at(order):
    return "BCD"[min(order.index("state"), order.index("positions"))]


answer = {"order": ("positions", "output", "counter", "state"), "corrupts_at": corrupts_at}
