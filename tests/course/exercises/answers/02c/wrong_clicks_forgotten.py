"""Lets a broker lead that was not in sync."""

REASON = "what was committed is lost"

answer = {
    "views": (0, 1, True),
    "clicks": (1, 1, True),
    "orders": ("all", 2, False),
    "ledger": ("all", 3, False),
}
