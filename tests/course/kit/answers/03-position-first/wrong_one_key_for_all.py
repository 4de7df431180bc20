REASON = "count for north, north, north"


def answer(node):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        node.positions.save(positions)
        for _ in items:
            node.database.increment("north")
