REASON = "the mover holds both locks at once"


def answer(node, source, target, amount):
    bank = node.store("bank")
    with node.lock(source):
        _, balance = bank.read(source)
        if balance < amount:
            return "insufficient funds"
        bank.write(source, balance - amount)
        with node.lock(target):
            bank.write(target, bank.read(target)[1] + amount)
    return "done"
