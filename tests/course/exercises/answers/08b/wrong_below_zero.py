"""Leaves the second account in debt."""

REASON = "the account current holds -1"


def change(bank, account, by):
    while True:
        version, balance = bank.read(account)
        new = by(balance)
        if new is None or bank.cas(account, version, new):
            return None if new is None else balance - new


def answer(bank, first, second, amount):
    taken = change(bank, first, lambda balance: balance - min(balance, amount))
    change(bank, second, lambda balance: balance - (amount - taken))
    return True
