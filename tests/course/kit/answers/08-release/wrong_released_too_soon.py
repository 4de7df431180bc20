REASON = "Two movers, there and back"


def answer(node, source, target, amount):
    bank = node.store("bank")
    first, second = map(node.lock, sorted((source, target)))
    first.acquire()
    second.acquire()
    _, balance = bank.read(source)
    if balance >= amount:
        bank.write(source, balance - amount)
    second.release()
    first.release()
    if balance < amount:
        return "insufficient funds"
    bank.write(target, bank.read(target)[1] + amount)
    return "done"
