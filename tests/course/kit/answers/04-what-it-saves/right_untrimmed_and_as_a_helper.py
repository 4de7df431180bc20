def answer(node):
    positions = node.positions.load()
    window = node.state.load()

    def save():
        node.positions.save(positions)
        node.state.save(window)

    while node.running():
        save()
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.output.push(window.average())
        save()
