"""Waits for an answer that nobody needs."""

REASON = "Here it waits for nobody"

answer = {
    "views": (1, 1, True),
    "clicks": (1, 1, False),
    "orders": ("all", 2, False),
    "ledger": ("all", 3, False),
}
