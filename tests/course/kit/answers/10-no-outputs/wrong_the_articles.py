REASON = "IndexError: list index out of range"


def answer(state, positions, outputs, k):
    return ["PREPARING", state, positions, outputs, k]
