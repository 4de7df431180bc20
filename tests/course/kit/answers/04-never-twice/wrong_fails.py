REASON = "your handler fails"


def answer(node):
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.positions.save(next_positions)
        node.state.save(window)
        node.output.append(window.average())
        if len(window) > node.threshold:
            node.database.increment()
        positions = next_positions
