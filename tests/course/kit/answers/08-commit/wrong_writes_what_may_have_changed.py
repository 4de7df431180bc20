REASON = "Two movers take from one account"


def answer(node, source, target, amount):
    bank = node.store("bank")
    while True:
        (_version, balance), (_other, held) = bank.transact(("read", source), ("read", target))
        if balance < amount:
            return "insufficient funds"
        bank.transact(("write", source, balance - amount), ("write", target, held + amount))
        return "done"
