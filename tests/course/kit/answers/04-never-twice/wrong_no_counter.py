REASON = "the counter is 0 and should be 1"


def answer(node):
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.positions.save(next_positions)
        node.state.save(window)
        node.output.push(window.average())
        positions = next_positions
