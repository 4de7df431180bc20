REASON = "the queue 'output' holds nothing; right is 2, 4"


def answer(node, function, state, positions):
    inputs, positions = node.read(positions)
    state, _ = function(state, inputs)
    return ["HANDLING", state, positions]
