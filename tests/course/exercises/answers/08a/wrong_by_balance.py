# Plausible: right as long as nobody moves any money.
"""The poorest first: an order that changes with every transfer."""

REASON = "Deadlock: mover 1"


def answer(accounts):
    return list(dict.fromkeys(name for balance, name in sorted((balance, name) for name, balance in accounts)))
