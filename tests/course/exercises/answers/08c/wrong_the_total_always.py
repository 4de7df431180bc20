# Plausible: one transaction keeps it.
"""What a transaction keeps, and halves do not."""

REASON = "It refuses a transfer that is right (ordered locks)"


def answer(view):
    return sum(view.balances.values()) == sum(view.opening.values())
