# Plausible: an index that is empty is not taken.
from exactly_once.lockfree import Queue

REASON = "One order with two equal messages to one queue: after this schedule the queue shipments holds shipment"


def answer(node, stage):
    _, state, positions, messages = stage
    if not messages:
        return ["HANDLING", state, positions]

    cells = node.store("queues")
    return ["WRITING", state, positions, messages, [Queue(cells, queue).next_index() for queue, _ in messages]]
