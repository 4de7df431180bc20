def answer(node, source, target, amount):
    first, second = sorted((source, target))
    bank = node.store("bank")
    with node.lock(first), node.lock(second):
        _, balance = bank.read(source)
        if balance >= amount:
            _, held = bank.read(target)
            bank.write(target, held + amount)
            bank.write(source, balance - amount)
            return "done"
    return "insufficient funds"
