# Plausible: one queue is all it thinks of.
from exactly_once.lockfree import Queue

REASON = "a cell of shipments is empty, and a later one is full"


def answer(node, stage):
    _, state, positions, messages = stage
    if not messages:
        return ["HANDLING", state, positions]

    first = Queue(node.store("queues"), messages[0][0]).next_index()
    return ["WRITING", state, positions, messages, list(range(first, first + len(messages)))]
