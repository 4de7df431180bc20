"""Gives the acks as text."""

REASON = "cks of clicks is '1'; it can be 0, 1, all"

answer = {
    "views": (0, 1, True),
    "clicks": ("1", 1, False),
    "orders": ("all", 2, False),
    "ledger": ("all", 3, False),
}
