REASON = "is no stage; one is a list such as"


def answer(node, function, state, positions):
    inputs, positions = node.read(positions)
    state, _outputs = function(state, inputs)
    return ["PREPARING", state, positions]
