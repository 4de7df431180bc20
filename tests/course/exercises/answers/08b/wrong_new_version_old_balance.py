# Plausible: right for a customer who is alone.
"""Reads the version again, and not the balance."""

REASON = "paid out, and the accounts hold"


def answer(bank, first, second, amount):
    for account in (first, second):
        version, balance = bank.read(account)
        taken = min(balance, amount)
        while not bank.cas(account, version, balance - taken):
            version, _ = bank.read(account)
        amount -= taken
        if amount == 0:
            return True
    return False
