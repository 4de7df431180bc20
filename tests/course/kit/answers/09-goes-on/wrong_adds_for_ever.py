REASON = "the number is 3"


def answer(node):
    while True:
        version, number = node.registers.read("number")
        node.registers.cas("number", version, (number or 0) + 1)
