"""Counts the letters from A, which stands before the first write."""

REASON = "corrupts nothing"


def corrupts_at(order):
    return "ABCD"[min(order.index("state"), order.index("positions"))]


answer = {"order": ("counter", "output", "positions", "state"), "corrupts_at": corrupts_at}
