# Plausible: right for three of the four streams; whoever is elected had every entry.
"""Allows an unclean election, since all three replicas have an entry when it is acknowledged."""

REASON = "although two of three disks are whole"

answer = {
    "views": (0, 1, True),
    "clicks": (1, 1, False),
    "orders": ("all", 2, False),
    "ledger": ("all", 3, True),
}
