"""Names the letter after both state and positions, where they agree again."""

REASON = "corrupts_at: for the order"


def corrupts_at(order):
    return "BCDE"[max(order.index("state"), order.index("positions"))]


answer = {"order": ("output", "positions", "state", "counter"), "corrupts_at": corrupts_at}
