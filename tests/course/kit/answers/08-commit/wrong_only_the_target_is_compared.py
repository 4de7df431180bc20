REASON = "One takes from the account to which the other gives"


def answer(node, source, target, amount):
    bank = node.store("bank")
    while True:
        (_version, balance), (other, held) = bank.transact(("read", source), ("read", target))
        if balance < amount:
            return "insufficient funds"
        if bank.transact(("write", source, balance - amount), ("cas", target, other, held + amount)):
            return "done"
