from exactly_once.course.kit import gap


def halves(node, source, target, amount):
    bank = node.store("bank")
    ### BEGIN SOLUTION
    with node.lock(source):
        _, balance = bank.read(source)
        if balance < amount:
            return "insufficient funds"
        bank.write(source, balance - amount)
    with node.lock(target):
        _, held = bank.read(target)
        bank.write(target, held + amount)
    return "done"
    ### END SOLUTION


in_halves = gap("08-halves", halves)
in_halves
