"""Begins with the second account, and takes nothing at all where both together seem to have too little."""


def answer(bank, first, second, amount):
    held = sum([bank.read(account)[1] for account in (first, second)])
    if held < amount:
        return False
    taken = part(bank, second, amount)
    if taken + part(bank, first, amount - taken, least=amount - taken) == amount:
        return True
    give_back(bank, second, taken)
    return False


def part(bank, account, most, least=0):
    version, balance = bank.read(account)
    some = min(balance, most)
    if some < least or some == 0:
        return 0
    return some if bank.cas(account, version, balance - some) else part(bank, account, most, least)


def give_back(bank, account, amount):
    version, balance = bank.read(account)
    if amount and not bank.cas(account, version, balance + amount):
        give_back(bank, account, amount)
