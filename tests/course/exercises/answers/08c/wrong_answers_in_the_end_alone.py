# Plausible: one transaction keeps it.
"""What comes and goes on the way is not noticed."""

REASON = "for a moment there is money that nobody has paid in"


def answer(view):
    held = dict(view.opening)
    for source, target, amount, said in view.answers:
        if said == "done":
            held[source] -= amount
            held[target] += amount
    return min(view.balances.values()) >= 0 and (not view.done or held == view.balances)
