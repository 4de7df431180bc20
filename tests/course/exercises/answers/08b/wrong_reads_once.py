# Plausible: right for a customer who is alone.
"""Repeats a cas that was refused with the version that was refused."""

REASON = "goes on for ever and never ends"


def answer(bank, first, second, amount):
    version, balance = bank.read(first)
    taken = min(balance, amount)
    other, held = bank.read(second)
    if held < amount - taken:
        return False
    while not bank.cas(first, version, balance - taken):
        pass
    while not bank.cas(second, other, held - amount + taken):
        pass
    return True
