def answer(node):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        if items:
            node.positions.save(positions)
        [node.database.increment(item.key) for item in items]
