# Plausible: right for three of the four streams.
"""Waits for followers where the leader would do."""

REASON = "the leader's answer is enough"

answer = {
    "views": (0, 1, True),
    "clicks": ("all", 1, False),
    "orders": ("all", 2, False),
    "ledger": ("all", 3, False),
}
