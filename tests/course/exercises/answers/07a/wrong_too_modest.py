"""Promises less than its place keeps."""

REASON = "so is more than that"

answer = {
    "table": ("beside", "at least once"),
    "ledger": ("two phases", "exactly once"),
    "map": ("after", "as if once"),
    "mail": ("after", "at least once"),
}
