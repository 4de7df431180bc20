"""Answers to the exercise 08b."""

from tests.course.answers import Answers

given = """
    def change(bank, account, by):
        while True:
            version, balance = bank.read(account)
            new = by(balance)
            if new is None or bank.cas(account, version, new):
                return None if new is None else balance - new
"""
answers = Answers("08b", given)

# Begins with the second account, and takes nothing at all where both together seem to have too little.
answers.right("second first").code("""
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
""")

# Takes what there is from either account in turn, until all is there, or until both were empty in a row.
answers.right("step by step").code("""
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
""")

# Takes a cas for a write. Plausible: right for a customer who is alone.
answers.plausible(
    "does not look at what cas says", reason="3 and 3 were paid out, and the accounts hold 7 of 10"
).code("""
    def answer(bank, first, second, amount):
        version, balance = bank.read(first)
        other, held = bank.read(second)
        if balance + held < amount:
            return False
        taken = min(balance, amount)
        bank.cas(first, version, balance - taken)
        bank.cas(second, other, held - amount + taken)
        return True
""")

# Does not put back the amount when the second account has too little. Plausible: right as long as there is enough.
answers.plausible("keeps the first part", reason="nothing was paid out, and the accounts hold 4 of 10").code("""
    def answer(bank, first, second, amount):
        taken = change(bank, first, lambda balance: balance - min(balance, amount))
        rest = amount - taken
        return change(bank, second, lambda balance: balance - rest if balance >= rest else None) is not None
""")

# Reads the version again, and not the balance. Plausible: right for a customer who is alone.
answers.plausible("new version old balance", reason="paid out, and the accounts hold").code("""
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
""")

# Writes the balance that it knows, which undoes what others did meanwhile. Plausible: right for a customer who is
# alone.
answers.plausible("puts the old balance back", reason="paid out, and the accounts hold").code("""
    def answer(bank, first, second, amount):
        _, before = bank.read(first)
        taken = change(bank, first, lambda balance: balance - min(balance, amount))
        rest = amount - taken
        if change(bank, second, lambda balance: balance - rest if balance >= rest else None) is not None:
            return True
        bank.write(first, before)
        return False
""")

# Repeats a cas that was refused with the version that was refused. Plausible: right for a customer who is alone.
answers.plausible("reads once", reason="goes on for ever and never ends").code("""
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
""")

# Gives up when somebody else came in between. Plausible: right for a customer who is alone.
answers.plausible(
    "takes a refused cas for too little", reason="was refused, and there was enough for everybody"
).code("""
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
""")

# Leaves the second account in debt.
answers.wrong("below zero", reason="the account current holds -1").code("""
    def answer(bank, first, second, amount):
        taken = change(bank, first, lambda balance: balance - min(balance, amount))
        change(bank, second, lambda balance: balance - (amount - taken))
        return True
""")

# Never asks the second account.
answers.wrong("only the first", reason="8 was refused, and there was enough for everybody").code("""
    def answer(bank, first, second, amount):
        return change(bank, first, lambda balance: balance - amount if balance >= amount else None) is not None
""")

answers.wrong(
    "puts back without a version",
    ("change(first, lambda balance: taken)", "bank.write(first, bank.read(first)[1] + taken)"),
    reason="11 and 5 to be withdrawn",
)
