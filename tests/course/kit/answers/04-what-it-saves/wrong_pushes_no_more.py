REASON = "not the average of each hour"


def answer(node):
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.state.save(window)
        node.positions.save(positions)
