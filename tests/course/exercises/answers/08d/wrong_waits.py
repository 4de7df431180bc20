# Plausible: right while nobody moves anything.
"""Waits until nothing is on its way: for ever, where a mover is dead."""

REASON = "goes on for ever and never ends"


def answer(read, accounts):
    while True:
        cells = [read(account)[1] for account in accounts]
        if {order for cell in cells for order in cell["sent"]} == {order for cell in cells for order in cell["got"]}:
            return sum([cell["balance"] for cell in cells])
