"""Leaves views without a leader while a broker lives."""

REASON = "a broker lives and nobody leads"

answer = {
    "views": (0, 1, False),
    "clicks": (1, 1, False),
    "orders": ("all", 2, False),
    "ledger": ("all", 3, False),
}
