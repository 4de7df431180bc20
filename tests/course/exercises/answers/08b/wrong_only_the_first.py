"""Never asks the second account."""

REASON = "8 was refused, and there was enough for everybody"


def change(bank, account, by):
    while True:
        version, balance = bank.read(account)
        new = by(balance)
        if new is None or bank.cas(account, version, new):
            return None if new is None else balance - new


def answer(bank, first, second, amount):
    return change(bank, first, lambda balance: balance - amount if balance >= amount else None) is not None
