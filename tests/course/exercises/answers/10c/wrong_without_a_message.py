from exactly_once.lockfree import Queue

REASON = "IndexError"


def answer(node, stage):
    _, state, positions, messages = stage
    cells, places = node.store("queues"), []
    place = Queue(cells, messages[0][0]).next_index()
    for queue, _ in messages:
        place = Queue(cells, queue).next_index() if not places else place + 1
        places.append(place)
    return ["WRITING", state, positions, messages, places]
