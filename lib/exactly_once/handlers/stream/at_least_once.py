"""The naive stream handler with crash points A–E, as the article on concurrent exactly-once gives it.

Output first, positions last: after a crash the pass is repeated, so its earlier writes are written twice.
"""


def at_least_once(node):
    """Push the average of each hour's window, count the windows above the threshold, save state, then positions."""
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.crash_point("A")
        node.output.push(window.average())
        if len(window) > node.threshold:
            node.crash_point("B")
            node.database.increment()
        node.crash_point("C")
        node.state.save(window)
        node.crash_point("D")
        node.positions.save(next_positions)
        node.crash_point("E")
        positions = next_positions
