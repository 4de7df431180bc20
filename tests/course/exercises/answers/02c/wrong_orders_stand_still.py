"""Asks for all three where one may be down."""

REASON = "one broker is down and an order is refused"

answer = {
    "views": (0, 1, True),
    "clicks": (1, 1, False),
    "orders": ("all", 3, False),
    "ledger": ("all", 3, False),
}
