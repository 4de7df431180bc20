# Plausible: right while nobody moves anything.
"""Counts what has arrived twice."""

REASON = "the auditor says 17; the bank has 10"


def answer(read, accounts):
    cells = [read(account)[1] for account in accounts]
    return sum([cell["balance"] + sum(cell["sent"].values()) for cell in cells])
