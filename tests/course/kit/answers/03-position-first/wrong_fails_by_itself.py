REASON = "your lines fail: IndexError"


def answer(node):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        node.positions.save(positions)
        node.database.increment(items[0].key)
