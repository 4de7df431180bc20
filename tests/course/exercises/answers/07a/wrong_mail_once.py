# Plausible: three of the four are right.
"""An e-mail that is sent once for sure."""

REASON = "is too much"

answer = {
    "table": ("beside", "exactly once"),
    "ledger": ("two phases", "exactly once"),
    "map": ("after", "as if once"),
    "mail": ("after", "exactly once"),
}
