REASON = "Twins of one handler: "


def answer(node, name, step, value):
    return [node.number, step, value]
