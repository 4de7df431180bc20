# Plausible: right for a customer who is alone.
"""Takes a cas for a write."""

REASON = "3 and 3 were paid out, and the accounts hold 7 of 10"


def answer(bank, first, second, amount):
    version, balance = bank.read(first)
    other, held = bank.read(second)
    if balance + held < amount:
        return False
    taken = min(balance, amount)
    bank.cas(first, version, balance - taken)
    bank.cas(second, other, held - amount + taken)
    return True
