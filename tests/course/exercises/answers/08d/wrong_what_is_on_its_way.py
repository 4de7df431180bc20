# Plausible: right while nobody moves anything.
"""Adds what was sent and not got, and does not see that it got what it did not see sent."""

REASON = "the auditor says 17; the bank has 10"


def answer(read, accounts):
    cells = [read(account)[1] for account in accounts]
    got = {order for cell in cells for order in cell["got"]}
    away = [amount for cell in cells for order, amount in cell["sent"].items() if order not in got]
    return sum([cell["balance"] for cell in cells]) + sum(away)
