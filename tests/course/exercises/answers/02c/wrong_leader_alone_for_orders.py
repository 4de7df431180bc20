"""Thinks that min.insync.replicas protects what only the leader acknowledged."""

REASON = "Broker 0 dies for good; broker 1 leads"

answer = {
    "views": (0, 1, True),
    "clicks": (1, 1, False),
    "orders": (1, 2, False),
    "ledger": ("all", 3, False),
}
