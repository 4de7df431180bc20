# Plausible: right while nobody moves anything.
"""Adds up the balances."""

REASON = "the auditor says 3; the bank has 10"


def answer(read, accounts):
    return sum([read(account)[1]["balance"] for account in accounts])
