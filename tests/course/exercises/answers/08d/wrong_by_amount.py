# Plausible: right while nobody moves anything.
"""Takes amounts for orders, after reading twice: two transfers of one amount look like one."""

REASON = "the auditor says"


def answer(read, accounts):
    before = None
    while (after := [read(account) for account in accounts]) != before:
        before = after
    cells = [cell for _, cell in after]
    sent = {amount for cell in cells for amount in cell["sent"].values()}
    got = {amount for cell in cells for amount in cell["got"].values()}
    return sum([cell["balance"] for cell in cells]) + sum(sent - got)
