def answer(state, positions, outputs, k):
    if k >= len(outputs):
        return ["HANDLING", state, positions]
    if outputs[k] is None:
        return answer(state, positions, outputs, k + 1)
    return ["PREPARING", state, positions, outputs, k]
