REASON = "the queue 'first' holds a, c"


def answer(state, positions, outputs, k):
    outputs = [value for value in outputs if value is not None]
    return ["PREPARING", state, positions, outputs, k] if k < len(outputs) else ["HANDLING", state, positions]
