REASON = "each counts once, for its own key"


def answer(node):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        for item in items:
            node.database.increment(item.key)
        node.positions.save(positions)
        for item in items:
            node.database.increment(item.key)
