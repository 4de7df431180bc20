REASON = "Two movers take from one account"


def answer(node, source, target, amount):
    bank = node.store("bank")
    _, balance = bank.read(source)
    if balance < amount:
        return "insufficient funds"
    with node.lock(source):
        bank.write(source, balance - amount)
    with node.lock(target):
        bank.write(target, bank.read(target)[1] + amount)
    return "done"
