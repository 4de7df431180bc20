REASON = "Twins of one handler: "


def answer(node, name, step, value):
    return [name, node.number, step, value]
