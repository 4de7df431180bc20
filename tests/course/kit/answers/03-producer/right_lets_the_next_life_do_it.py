def answer(node):  # an error ends the life, and the next one goes on from the positions
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        for item in items:
            node.output.push(item.value, item.key)
        node.positions.save(positions)
