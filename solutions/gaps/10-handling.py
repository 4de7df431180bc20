from exactly_once.course.kit import gap


def handling(node, function, state, positions):
    ### BEGIN SOLUTION
    inputs, positions = node.read(positions)
    state, outputs = function(state, inputs)
    return ["PREPARING", state, positions, outputs, 0]
    ### END SOLUTION


left = gap("10-handling", handling)
left
