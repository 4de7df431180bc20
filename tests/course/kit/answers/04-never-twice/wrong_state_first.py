REASON = "A crash doubles an average"


def answer(node):
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.state.save(window)
        node.output.push(window.average())
        node.positions.save(next_positions)
        if len(window) > node.threshold:
            node.database.increment()
        positions = next_positions
