"""Forgets that all in-sync replicas can be one."""

REASON = "an order that was acknowledged is lost with one broker"

answer = {
    "views": (0, 1, True),
    "clicks": (1, 1, False),
    "orders": ("all", 1, False),
    "ledger": ("all", 3, False),
}
