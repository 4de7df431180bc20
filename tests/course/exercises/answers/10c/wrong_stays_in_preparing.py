from exactly_once.lockfree import Queue

REASON = "is PREPARING again; it is WRITING, or HANDLING, that follows"


def answer(node, stage):
    _, state, positions, messages = stage
    if messages:
        places = [Queue(node.store("queues"), queue).next_index() for queue, _ in messages]
        return ["WRITING", state, positions, messages, places]
    return stage
