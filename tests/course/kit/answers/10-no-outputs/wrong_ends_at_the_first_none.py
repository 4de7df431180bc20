REASON = "the queue 'second' holds nothing; right is c"


def answer(state, positions, outputs, k):
    if k == len(outputs) or outputs[k] is None:
        return ["HANDLING", state, positions]
    return ["PREPARING", state, positions, outputs, k]
