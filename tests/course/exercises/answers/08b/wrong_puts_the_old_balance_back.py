# Plausible: right for a customer who is alone.
"""Writes the balance that it knows, which undoes what others did meanwhile."""

REASON = "paid out, and the accounts hold"


def change(bank, account, by):
    while True:
        version, balance = bank.read(account)
        new = by(balance)
        if new is None or bank.cas(account, version, new):
            return None if new is None else balance - new


def answer(bank, first, second, amount):
    _, before = bank.read(first)
    taken = change(bank, first, lambda balance: balance - min(balance, amount))
    rest = amount - taken
    if change(bank, second, lambda balance: balance - rest if balance >= rest else None) is not None:
        return True
    bank.write(first, before)
    return False
