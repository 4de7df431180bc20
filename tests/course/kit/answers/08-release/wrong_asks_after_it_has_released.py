REASON = "Two movers take from one account"


def answer(node, source, target, amount):
    bank = node.store("bank")
    first, second = map(node.lock, sorted((source, target)))
    first.acquire()
    second.acquire()
    _, balance = bank.read(source)
    second.release()
    first.release()
    if balance < amount:
        return "insufficient funds"
    bank.write(source, balance - amount)
    bank.write(target, bank.read(target)[1] + amount)
    return "done"
