"""Answers to the gap 08-commit."""

from tests.course.answers import Answers

answers = Answers("08-commit")

answers.right("reads again by calling itself").code("""
    def answer(node, source, target, amount):
        bank = node.store("bank")
        (version, balance), (other, held) = bank.transact(("read", target), ("read", source))
        if held < amount:
            return "insufficient funds"
        changes = ("cas", target, version, balance + amount), ("cas", source, other, held - amount)
        return "done" if bank.transact(*changes) is not None else answer(node, source, target, amount)
""")

answers.wrong("does not ask for the funds", reason="it should answer ['done', 'insufficient funds', 'done']").code("""
    def answer(node, source, target, amount):
        bank = node.store("bank")
        while True:
            (version, balance), (other, held) = bank.transact(("read", source), ("read", target))
            if bank.transact(("cas", source, version, balance - amount), ("cas", target, other, held + amount)):
                return "done"
""")

answers.wrong("gives up when refused", reason="Two movers take from one account").code("""
    def answer(node, source, target, amount):
        bank = node.store("bank")
        if True:
            (version, balance), (other, held) = bank.transact(("read", source), ("read", target))
            if balance < amount:
                return "insufficient funds"
            if bank.transact(("cas", source, version, balance - amount), ("cas", target, other, held + amount)):
                return "done"
            raise RuntimeError("somebody was faster")
        return None
""")

answers.wrong("only the source is compared", reason="Two movers give to one account").code("""
    def answer(node, source, target, amount):
        bank = node.store("bank")
        while True:
            (version, balance), (_other, held) = bank.transact(("read", source), ("read", target))
            if balance < amount:
                return "insufficient funds"
            if bank.transact(("cas", source, version, balance - amount), ("write", target, held + amount)):
                return "done"
""")

answers.wrong("only the target is compared", reason="One takes from the account to which the other gives").code("""
    def answer(node, source, target, amount):
        bank = node.store("bank")
        while True:
            (_version, balance), (other, held) = bank.transact(("read", source), ("read", target))
            if balance < amount:
                return "insufficient funds"
            if bank.transact(("write", source, balance - amount), ("cas", target, other, held + amount)):
                return "done"
""")

answers.wrong("two transactions", reason="the accounts hold 3 in all, and the bank opened with 10").code("""
    def answer(node, source, target, amount):
        bank = node.store("bank")
        while True:
            (version, balance), (other, held) = bank.transact(("read", source), ("read", target))
            if balance < amount:
                return "insufficient funds"
            if bank.transact(("cas", source, version, balance - amount)):
                bank.transact(("cas", target, other, held + amount))
                return "done"
""")

answers.wrong("writes what may have changed", reason="Two movers take from one account").code("""
    def answer(node, source, target, amount):
        bank = node.store("bank")
        while True:
            (_version, balance), (_other, held) = bank.transact(("read", source), ("read", target))
            if balance < amount:
                return "insufficient funds"
            bank.transact(("write", source, balance - amount), ("write", target, held + amount))
            return "done"
""")

# All that is left may be moved.
answers.wrong("leaves something behind", ("if balance < amount", "if balance <= amount"), reason="it should answer")

# The answers and the accounts agree.
answers.wrong("asks for the funds once", reason="the account a is at -4").code("""
    def answer(node, source, target, amount):
        bank = node.store("bank")
        (version, balance), (other, held) = bank.transact(("read", source), ("read", target))
        if balance < amount:
            return "insufficient funds"
        while not bank.transact(("cas", source, version, balance - amount), ("cas", target, other, held + amount)):
            (version, balance), (other, held) = bank.transact(("read", source), ("read", target))
        return "done"
""")
