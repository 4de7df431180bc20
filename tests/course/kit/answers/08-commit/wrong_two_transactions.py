REASON = "the accounts hold 3 in all, and the bank opened with 10"


def answer(node, source, target, amount):
    bank = node.store("bank")
    while True:
        (version, balance), (other, held) = bank.transact(("read", source), ("read", target))
        if balance < amount:
            return "insufficient funds"
        if bank.transact(("cas", source, version, balance - amount)):
            bank.transact(("cas", target, other, held + amount))
            return "done"
