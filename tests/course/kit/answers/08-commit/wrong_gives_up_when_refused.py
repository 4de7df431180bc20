REASON = "Two movers take from one account"


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
