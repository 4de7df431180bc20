from exactly_once.handlers.stream.offset_in_sink import INDEX, QUEUE

REASON = "A request arrives twice"


def answer(node):
    _, index = node.database.read(INDEX)
    while node.running():
        _message, positions = node.read({QUEUE: index or 0})
        node.database.transact(("write", INDEX, positions[QUEUE]), ("add", "counter", 1))
        _version, index = node.database.read(INDEX)
