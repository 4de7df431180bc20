REASON = "the queue 'output' holds 2, 2; right is 2, 4"


def answer(node, function, state, positions):
    inputs, positions = node.read(positions)
    _, outputs = function(state, inputs)
    return ["PREPARING", state, positions, outputs, 0]
