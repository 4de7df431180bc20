from exactly_once.handlers.stream.offset_in_sink import INDEX, QUEUE


def answer(node):
    version, index = node.database.read(INDEX)
    while node.running():
        _message, _positions = node.read({QUEUE: index or 0})
        if node.database.transact(("cas", INDEX, version, (index or 0) + 1), ("add", "counter", 1)) is None:
            version, index = node.database.read(INDEX)
            continue
        version, index = version + 1, (index or 0) + 1
