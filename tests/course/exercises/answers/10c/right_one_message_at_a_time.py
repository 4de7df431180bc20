from exactly_once.lockfree import Queue


def answer(node, stage):
    _, state, positions, messages = stage
    if not messages:
        return ["HANDLING", state, positions]
    cells, places, given = node.store("queues"), [], set()
    for queue, _ in messages:
        index = Queue(cells, queue).next_index()
        while f"{queue}.{index}" in given or cells.read(f"{queue}.{index}")[0]:
            index += 1
        given.add(f"{queue}.{index}")
        places.append(index)
    return ["WRITING", state, positions, messages, places]
