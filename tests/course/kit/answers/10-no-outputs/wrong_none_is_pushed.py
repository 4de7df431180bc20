REASON = "the queue 'first' holds a, "


def answer(state, positions, outputs, k):
    if k < len(outputs):
        return ["PREPARING", state, positions, outputs, k]
    return ["HANDLING", state, positions]
