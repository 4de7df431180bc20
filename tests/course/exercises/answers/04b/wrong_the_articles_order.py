"""Takes the order of the chapter for the best."""

REASON = "the averages of hours 3–6 are wrong"


def corrupts_at(order):
    return "BCD"[min(order.index("state"), order.index("positions"))]


answer = {"order": ("output", "counter", "state", "positions"), "corrupts_at": corrupts_at}
