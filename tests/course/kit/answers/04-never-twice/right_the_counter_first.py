def answer(node):
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        if len(window) > node.threshold:
            node.database.increment()
        node.positions.save(next_positions)
        node.output.push(window.average())
        node.state.save(window)
        positions = next_positions
