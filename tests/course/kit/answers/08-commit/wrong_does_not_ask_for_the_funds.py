REASON = "it should answer ['done', 'insufficient funds']"


def answer(node, source, target, amount):
    bank = node.store("bank")
    while True:
        (version, balance), (other, held) = bank.transact(("read", source), ("read", target))
        if bank.transact(("cas", source, version, balance - amount), ("cas", target, other, held + amount)):
            return "done"
