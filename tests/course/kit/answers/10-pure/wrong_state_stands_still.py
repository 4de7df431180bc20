REASON = "the queue 'output' holds [1, tea], [1, milk]"


def answer(state, inputs):
    return state, [[(state or 0) + 1, inputs[0]]]
