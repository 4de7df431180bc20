"""Answers to the gap 08-withdraw."""

from tests.course.answers import Answers

answers = Answers("08-withdraw")

answers.right("reads again by calling itself").code("""
    def answer(store, account, amount):
        version, balance = store.read(account)
        if balance < amount:
            return False
        return store.cas(account, version, balance - amount) or answer(store, account, amount)
""")

answers.right("in a transaction of the one store").code("""
    def answer(store, account, amount):
        done = None
        while done is None:
            version, balance = store.read(account)
            if balance < amount:
                return False
            done = store.transact(("cas", account, version, balance - amount))
        return True
""")

answers.wrong("gives up when refused", reason="there is enough for both").code("""
    def answer(store, account, amount):
        version, balance = store.read(account)
        return balance >= amount and store.cas(account, version, balance - amount)
""")

answers.wrong("compares no version", reason="Two movers take from one account").code("""
    def answer(store, account, amount):
        _, balance = store.read(account)
        if balance < amount:
            return False
        store.write(account, balance - amount)
        return True
""")

answers.wrong("does not look whether it was refused", reason="Two movers take from one account").code("""
    def answer(store, account, amount):
        version, balance = store.read(account)
        if balance < amount:
            return False
        store.cas(account, version, balance - amount)
        return True
""")

answers.wrong("does not ask for the funds", reason="It answers ['done', 'done', 'done']").code("""
    def answer(store, account, amount):
        while True:
            version, balance = store.read(account)
            if store.cas(account, version, balance - amount):
                return True
""")

answers.wrong("asks for the funds once", reason="There is enough for one of two orders").code("""
    def answer(store, account, amount):
        version, balance = store.read(account)
        if balance < amount:
            return False
        while not store.cas(account, version, balance - amount):
            version, balance = store.read(account)
        return True
""")

answers.wrong("returns nothing", reason="It answers ['insufficient funds'").code("""
    def answer(store, account, amount):
        while True:
            version, balance = store.read(account)
            if balance < amount or store.cas(account, version, balance - amount):
                return
""")
