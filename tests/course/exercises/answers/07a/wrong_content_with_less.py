"""Content with at-least-once where more can be had."""

REASON = "promises more"

answer = {
    "table": ("after", "at least once"),
    "ledger": ("two phases", "exactly once"),
    "map": ("after", "as if once"),
    "mail": ("after", "at least once"),
}
