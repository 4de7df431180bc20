from exactly_once.course.kit import gap


def transfer(node, source, target, amount):
    bank = node.store("bank")
    reading = ("read", source), ("read", target)
    ### BEGIN SOLUTION
    while True:
        (version, balance), (other, held) = bank.transact(*reading)
        if balance < amount:
            return "insufficient funds"
        withdrawal = ("cas", source, version, balance - amount)
        if bank.transact(withdrawal, ("cas", target, other, held + amount)):
            return "done"
    ### END SOLUTION


commits = gap("08-commit", transfer)
commits
