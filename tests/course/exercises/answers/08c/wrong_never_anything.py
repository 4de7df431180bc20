"""Refuses everything."""

REASON = "It refuses a transfer that is right (one transaction)"


def answer(view):
    return False
