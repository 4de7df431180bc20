REASON = "the queue 'output' holds 4; right is 2, 4"


def answer(node, function, state, positions):
    inputs, positions = node.read(positions)
    state, _ = function(state, inputs)
    state, outputs = function(state, inputs)
    return ["PREPARING", state, positions, outputs, 0]
