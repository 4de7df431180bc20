from exactly_once.handlers.stream.offset_in_sink import INDEX, QUEUE

REASON = "Nothing goes wrong"


def answer(node):
    version, index = node.database.read(INDEX)
    while node.running():
        _message, _positions = node.read({QUEUE: index or 0})
        node.database.transact(("cas", INDEX, version, index or 0), ("add", "counter", 1))
        version, index = node.database.read(INDEX)
