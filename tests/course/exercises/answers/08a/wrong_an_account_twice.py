# Plausible: right for accounts that differ.
"""Sorted, and an account that stands there twice is locked twice."""

REASON = "which it holds itself"


def answer(accounts):
    return sorted(name for name, _ in accounts)
