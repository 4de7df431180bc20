REASON = "One node, which dies: "


def answer(state, inputs):
    number = state or 0
    return number + 1, [[number, inputs[0]]]
