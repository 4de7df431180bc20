"""Another of the best orders, and as witness the last letter at which the two disagree, not the first."""


def corrupts_at(order):
    second = max(order.index("state"), order.index("positions"))
    return "ABCD"[second]


answer = {"order": ["output", "positions", "state", "counter"], "corrupts_at": corrupts_at}
