"""Two phases for the table as well, and an e-mail rather lost than sent twice."""

answer = {
    "table": ("two phases", "exactly once"),
    "ledger": ("two phases", "exactly once"),
    "map": ("after", "as if once"),
    "mail": ("before", "at most once"),
}
