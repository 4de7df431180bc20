from exactly_once.lockfree import Queue

REASON = "There are 1 places for 2 messages; give one for each."


def answer(node, stage):
    _, state, positions, messages = stage
    if not messages:
        return ["HANDLING", state, positions]

    return ["WRITING", state, positions, messages, [Queue(node.store("queues"), messages[0][0]).next_index()]]
