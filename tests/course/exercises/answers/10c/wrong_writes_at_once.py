# Plausible: whoever dies after the push begins again.
from exactly_once.lockfree import Queue

REASON = "One crash: after this schedule the queue"


def answer(node, stage):
    _, state, positions, messages = stage
    if not messages:
        return ["HANDLING", state, positions]

    queues = [Queue(node.store("queues"), queue) for queue, _ in messages]
    places = [queue.push(message) for queue, (_, message) in zip(queues, messages, strict=False)]
    return ["WRITING", state, positions, messages, places]
