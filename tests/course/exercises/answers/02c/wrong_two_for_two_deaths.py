# Plausible: right for three of the four streams.
"""Keeps the ledger on as many brokers as may die."""

REASON = "an entry that was acknowledged is lost with two brokers"

answer = {
    "views": (0, 1, True),
    "clicks": (1, 1, False),
    "orders": ("all", 2, False),
    "ledger": ("all", 2, False),
}
