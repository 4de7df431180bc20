"""The stream handler with its positions saved first: after a crash the pass is not done again, so it may be lost."""


def at_most_once(node):
    """Save positions and state first, then push the average and count: nothing is ever written twice."""
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.crash_point("A")
        node.positions.save(next_positions)
        node.crash_point("B")
        node.state.save(window)
        node.crash_point("C")
        node.output.push(window.average())
        node.crash_point("D")
        if len(window) > node.threshold:
            node.database.increment()
        node.crash_point("E")
        positions = next_positions
