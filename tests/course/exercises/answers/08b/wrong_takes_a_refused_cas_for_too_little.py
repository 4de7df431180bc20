# Plausible: right for a customer who is alone.
"""Gives up when somebody else came in between."""

REASON = "was refused, and there was enough for everybody"


def answer(bank, first, second, amount):
    version, balance = bank.read(first)
    taken = min(balance, amount)
    if not bank.cas(first, version, balance - taken):
        return False
    version, held = bank.read(second)
    if held >= amount - taken and bank.cas(second, version, held - amount + taken):
        return True
    while True:
        version, balance = bank.read(first)
        if bank.cas(first, version, balance + taken):
            return False
