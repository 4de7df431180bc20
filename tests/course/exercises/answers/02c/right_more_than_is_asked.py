"""Asks for more replicas where the promise holds even so."""

answer = {
    "views": (0, 3, True),
    "clicks": [1, 2, False],
    "orders": ("all", 2, False),
    "ledger": {"acks": "all", "min_insync_replicas": 3},
}
