"""Writes the letter, and no plan."""

REASON = "is no token of a fault plan"
answer = "B"
