REASON = "Two movers give to one account"


def answer(node, source, target, amount):
    bank = node.store("bank")
    with node.lock(source):
        _, balance = bank.read(source)
        if balance < amount:
            return "insufficient funds"
        bank.write(source, balance - amount)
        bank.write(target, bank.read(target)[1] + amount)
    return "done"
