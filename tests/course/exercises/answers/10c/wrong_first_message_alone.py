from exactly_once.lockfree import Queue

REASON = "the queue shipments holds nothing; right is shipment"


def answer(node, stage):
    _, state, positions, messages = stage
    if not messages:
        return ["HANDLING", state, positions]

    queue = messages[0][0]
    return ["WRITING", state, positions, messages[:1], [Queue(node.store("queues"), queue).next_index()]]
