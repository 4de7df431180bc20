# Plausible: right for two movers that move money in the same direction.
"""Who pays is locked first."""

REASON = "Deadlock: mover 1"


def answer(accounts):
    return list(dict.fromkeys(name for name, _ in accounts))
