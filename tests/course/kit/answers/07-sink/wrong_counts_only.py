from exactly_once.handlers.stream.offset_in_sink import INDEX, QUEUE

REASON = "A life dies"


def answer(node):
    version, index = node.database.read(INDEX)
    while node.running():
        _message, positions = node.read({QUEUE: index or 0})
        node.database.increment()
        version, index = version, positions[QUEUE]
