REASON = "return (state, outputs)"


def answer(state, inputs):
    return [(state or 0) + 1, inputs[0]]
