# Plausible: three of the four are right.
"""Keeps a position in another team's ledger."""

REASON = "nothing of yours can be kept"

answer = {
    "table": ("beside", "exactly once"),
    "ledger": ("beside", "exactly once"),
    "map": ("after", "as if once"),
    "mail": ("after", "at least once"),
}
