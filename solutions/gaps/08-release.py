from exactly_once.course.kit import gap


def released(node, source, target, amount):
    bank = node.store("bank")
    first, second = map(node.lock, sorted((source, target)))
    first.acquire()
    second.acquire()
    ### BEGIN SOLUTION
    try:
        _, balance = bank.read(source)
        if balance < amount:
            return "insufficient funds"
        bank.write(source, balance - amount)
        _, held = bank.read(target)
        bank.write(target, held + amount)
        return "done"
    finally:
        second.release()
        first.release()
    ### END SOLUTION


releases = gap("08-release", released)
releases
