def answer(node, source, target, amount):
    bank = node.store("bank")
    (version, balance), (other, held) = bank.transact(("read", target), ("read", source))
    if held < amount:
        return "insufficient funds"
    changes = ("cas", target, version, balance + amount), ("cas", source, other, held - amount)
    return "done" if bank.transact(*changes) is not None else answer(node, source, target, amount)
