# Plausible: inputs that are read again give the same messages, as long as they arrive together.
REASON = "Two nodes, and an input that comes when it likes"


def answer(node, function, queues, name):
    state, positions, cells = None, node.start, node.store("queues")
    while node.running(positions):
        [inputs], positions = node.read(positions)
        state, outputs = function(state, inputs)
        for queue, value in zip(queues, outputs, strict=False):
            if value is not None:
                put(cells, queue, [name, sum(positions.values()), value])


def put(cells, queue, message):
    index = 0
    while not cells.cas(f"{queue}.{index}", 0, message):
        if cells.read(f"{queue}.{index}")[1] == message:
            return
        index += 1
