from exactly_once.handlers.stream.offset_in_sink import INDEX, QUEUE

REASON = "the counter is 0 and should be 1"


def answer(node):
    version, index = node.database.read(INDEX)
    while node.running():
        _message, positions = node.read({QUEUE: index or 0})
        node.database.cas(INDEX, version, positions[QUEUE])
        node.database.increment()
        version, index = node.database.read(INDEX)
