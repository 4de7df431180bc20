def answer(node):
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.positions.save(positions)
        node.state.save(window)
        node.output.push(window.average())
