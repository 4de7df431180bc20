# Plausible: right while nobody moves anything.
"""Reads until nothing has changed: the halves may be at rest, and the money on its way."""

REASON = "the auditor says 3; the bank has 10"


def answer(read, accounts):
    before = None
    while True:
        after = [read(account) for account in accounts]
        if before == after:
            return sum([cell["balance"] for _, cell in after])
        before = after
