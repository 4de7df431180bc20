REASON = "it waits for another, to acquire lock number"


def answer(node):
    with node.lock("number"):
        version, number = node.registers.read("number")
        node.registers.cas("number", version, (number or 0) + 1)
