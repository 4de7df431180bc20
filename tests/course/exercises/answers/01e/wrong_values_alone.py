"""Gives the values without their stamps."""

REASON = "it gives a list of some of the versions"


def answer(versions):
    return [value for value, _ in versions]
