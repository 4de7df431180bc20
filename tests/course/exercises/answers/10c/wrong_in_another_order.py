from exactly_once.lockfree import Queue

REASON = "One order with two equal messages to one queue: after this schedule a cell of shipments is empty"


def answer(node, stage):
    _, state, positions, messages = stage
    if not messages:
        return ["HANDLING", state, positions]

    cells, places, last = node.store("queues"), [], {}
    for queue, _ in reversed(messages):
        index = last[queue] + 1 if queue in last else Queue(cells, queue).next_index()
        while cells.read(f"{queue}.{index}")[0]:
            index += 1
        places.insert(0, index)
        last[queue] = index
    return ["WRITING", state, positions, messages, places]
