# Plausible: right but for the counter.
"""Forgets that the database keeps what life 1 told it."""

REASON = "the counter does not end at 7"
answer = {"doubled": [4], "missing": [], "wrong": [4, 5], "counter": 7}
