def answer(node, name, step, value):
    return [f"{step} of {name}", value]
