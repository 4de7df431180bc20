"""Says what the first bank has."""

REASON = "the auditor says 10; the bank has 12"


def answer(read, accounts):
    return 10
