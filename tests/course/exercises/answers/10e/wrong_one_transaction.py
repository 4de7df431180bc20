REASON = "is no read or cas of one cell in the stores machines and queues"


def answer(node, function, queues, name):
    store = node.store("everything")
    while True:
        version, held = store.read(name)
        state, positions, lengths = held or [None, node.start, {}]
        if not node.running(positions):
            return
        [inputs], positions = node.read(positions)
        state, outputs = function(state, inputs)
        store.transact(("cas", name, version, [state, positions, lengths]), ("write", "output.0", [name, outputs]))
