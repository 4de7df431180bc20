# Plausible: right for three of the four streams; one death does no harm.
"""Allows an unclean election of what must not be lost."""

REASON = "orders: an order that was acknowledged is lost, although every disk that had it is whole"

answer = {
    "views": (0, 1, True),
    "clicks": (1, 1, False),
    "orders": ("all", 2, True),
    "ledger": ("all", 3, False),
}
