"""Prepares an e-mail."""

REASON = "cannot be prepared"

answer = {
    "table": ("beside", "exactly once"),
    "ledger": ("two phases", "exactly once"),
    "map": ("after", "as if once"),
    "mail": ("two phases", "exactly once"),
}
