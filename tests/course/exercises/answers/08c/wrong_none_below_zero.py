# Plausible: one transaction keeps it.
"""Money may vanish."""

REASON = "does not notice a transfer that overwrites a deposit"


def answer(view):
    return min(view.balances.values()) >= 0
