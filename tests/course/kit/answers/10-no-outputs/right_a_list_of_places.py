def answer(state, positions, outputs, k):
    left = [place for place, value in enumerate(outputs) if value is not None and place >= k]
    return ["PREPARING", state, positions, outputs, left[0]] if left else ["HANDLING", state, positions]
