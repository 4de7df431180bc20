# Plausible: one transaction keeps it.
"""An account below zero is not noticed."""

REASON = "so that an account can fall below zero"


def answer(view):
    return not view.done or sum(view.balances.values()) == sum(view.opening.values())
