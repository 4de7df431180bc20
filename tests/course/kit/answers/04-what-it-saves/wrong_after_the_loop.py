REASON = "not as they are at the end of each pass"


def answer(node):
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.output.push(window.average())
    node.state.save(window)
    node.positions.save(positions)
