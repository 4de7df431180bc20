REASON = "2 nodes add one each, and the number is 1"


def answer(node):
    version, number = node.registers.read("number")
    node.registers.cas("number", version, (number or 0) + 1)
