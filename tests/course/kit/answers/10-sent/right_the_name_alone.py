def answer(node, name, step, value):
    return [name, value]
