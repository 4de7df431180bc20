REASON = "and answers [None, None]"


def answer(node, source, target, amount):
    bank = node.store("bank")
    with node.lock(source):
        _, balance = bank.read(source)
        if balance >= amount:
            bank.write(source, balance - amount)
    with node.lock(target):
        if balance >= amount:
            bank.write(target, bank.read(target)[1] + amount)
