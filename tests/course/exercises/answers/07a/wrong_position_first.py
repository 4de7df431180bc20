"""Saves the position first, and promises that nothing is lost."""

REASON = "is too much"

answer = {
    "table": ("before", "at least once"),
    "ledger": ("two phases", "exactly once"),
    "map": ("after", "as if once"),
    "mail": ("after", "at least once"),
}
