# Plausible: P stops in the middle of Q.
"""Retention looks in time, but empties too late."""

REASON = "Both records"
answer = "PQQQRPPPRR"
