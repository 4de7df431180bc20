# Plausible: one transaction keeps it.
"""Accepts everything."""

REASON = "does not notice a transfer that overwrites a deposit"


def answer(view):
    return True
