def answer(node, source, target, amount):
    def change(account, by):
        lock, bank = node.lock(account), node.store("bank")
        lock.acquire()
        _, balance = bank.read(account)
        enough = balance + by >= 0
        if enough:
            bank.write(account, balance + by)
        lock.release()
        return enough

    if not change(source, -amount):
        return "insufficient funds"
    change(target, amount)
    return "done"
