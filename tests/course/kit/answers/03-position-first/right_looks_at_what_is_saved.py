def answer(node):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        node.positions.save(positions)
        if node.positions.load() == positions:
            while items:
                node.database.increment(items.pop(0).key)
