"""Takes overwriting for writing once."""

REASON = "is too much"

answer = {
    "table": ("beside", "exactly once"),
    "ledger": ("two phases", "exactly once"),
    "map": ("after", "exactly once"),
    "mail": ("after", "at least once"),
}
