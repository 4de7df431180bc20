from exactly_once.lockfree import Queue

REASON = "the queue parcels holds nothing; right is parcel"


def answer(node, stage):
    _, state, positions, messages = stage
    if not messages:
        return ["HANDLING", state, positions]

    queue = messages[0][0]
    return ["WRITING", state, positions, messages[:1], [Queue(node.store("queues"), queue).next_index()]]
