from exactly_once.lockfree import Queue

REASON = "and one crash: After this schedule the queue 'output' holds 2, 2"


def answer(node, function, state, positions):
    inputs, positions = node.read(positions)
    state, outputs = function(state, inputs)
    Queue(node.store("queues"), "output").push(["handler", sum(positions.values()), outputs[0]])
    return ["HANDLING", state, positions]
