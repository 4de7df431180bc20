"""Compares with the answers at every moment: between a transfer and its answer they differ."""

REASON = "It refuses a transfer that is right (one transaction)"


def answer(view):
    held = dict(view.opening)
    for source, target, amount, said in view.answers:
        if said == "done":
            held[source] -= amount
            held[target] += amount
    return held == view.balances
