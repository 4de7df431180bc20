REASON = "the queue 'output' holds 2, 4, 6"


def answer(node, function, state, positions):
    inputs, _ = node.read(positions)
    state, outputs = function(state, inputs)
    return ["PREPARING", state, positions, outputs, 0]
