"""Lists in place of tuples, in another order."""

answer = {
    "mail": ["after", "at least once"],
    "map": ["after", "as if once"],
    "ledger": ["two phases", "exactly once"],
    "table": ["beside", "exactly once"],
}
