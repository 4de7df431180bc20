REASON = "it waits for another"


def answer(node):
    while True:
        version, holder = node.registers.read("lock")
        if holder != "held" and node.registers.cas("lock", version, "held"):
            break
    at, number = node.registers.read("number")
    node.registers.cas("number", at, (number or 0) + 1)
    node.registers.cas("lock", version + 1, "free")
