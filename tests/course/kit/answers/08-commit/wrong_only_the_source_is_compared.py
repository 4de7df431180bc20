REASON = "Two movers give to one account"


def answer(node, source, target, amount):
    bank = node.store("bank")
    while True:
        (version, balance), (_other, held) = bank.transact(("read", source), ("read", target))
        if balance < amount:
            return "insufficient funds"
        if bank.transact(("cas", source, version, balance - amount), ("write", target, held + amount)):
            return "done"
