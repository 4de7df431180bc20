# Plausible: right as long as there is enough.
"""Does not put back what the second account lacks."""

REASON = "nothing was paid out, and the accounts hold 4 of 10"


def change(bank, account, by):
    while True:
        version, balance = bank.read(account)
        new = by(balance)
        if new is None or bank.cas(account, version, new):
            return None if new is None else balance - new


def answer(bank, first, second, amount):
    taken = change(bank, first, lambda balance: balance - min(balance, amount))
    rest = amount - taken
    return change(bank, second, lambda balance: balance - rest if balance >= rest else None) is not None
