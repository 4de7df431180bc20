REASON = "2 nodes add one each, and the number is 1"


def answer(node):
    number = node.registers.read("number")[1]
    while not node.registers.cas("number", node.registers.read("number")[0], (number or 0) + 1):
        pass
