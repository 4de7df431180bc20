def answer(node, function, state, positions):
    (inputs, after), kind = node.read(dict(positions)), "PREPARING"
    return [kind, *(lambda found: (found[0], after, list(found[1]), 0))(function(state, inputs))]
