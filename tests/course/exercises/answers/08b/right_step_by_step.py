"""Takes what there is from either account in turn, until all is there, or until both were empty in a row."""


def answer(bank, first, second, amount):
    taken, empty = {first: 0, second: 0}, 0
    while sum(taken.values()) < amount and empty < 2:
        for account in (first, second):
            version, balance = bank.read(account)
            some = min(balance, amount - sum(taken.values()))
            if balance == 0:
                empty += 1
            elif some and bank.cas(account, version, balance - some):
                taken[account] += some
    if sum(taken.values()) == amount:
        return True
    for account, some in taken.items():
        while some:
            version, balance = bank.read(account)
            some = 0 if bank.cas(account, version, balance + some) else some
    return False
