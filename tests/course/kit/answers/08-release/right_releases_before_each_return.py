def answer(node, source, target, amount):
    bank = node.store("bank")
    first, second = map(node.lock, sorted((source, target)))
    first.acquire()
    second.acquire()
    _, balance = bank.read(source)
    if balance < amount:
        second.release()
        first.release()
        return "insufficient funds"
    bank.write(source, balance - amount)
    bank.write(target, bank.read(target)[1] + amount)
    first.release()
    second.release()
    return "done"
