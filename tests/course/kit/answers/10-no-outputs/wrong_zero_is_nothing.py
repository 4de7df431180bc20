REASON = "With the outputs [0, 'b'] and k = 0"


def answer(state, positions, outputs, k):
    while k < len(outputs) and not outputs[k]:
        k += 1
    return ["PREPARING", state, positions, outputs, k] if k < len(outputs) else ["HANDLING", state, positions]
