"""Allows unclean elections where the promise holds even so."""

answer = {
    "views": (0, 3, True),
    "clicks": (1, 2, False),
    "orders": ("all", 2, True),
    "ledger": ("all", 3, True),
}
