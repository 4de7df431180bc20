# Plausible: right when nothing goes wrong.
"""The chapter's at_most_once: a crash between positions and state spoils the window."""

REASON = "which is right for no hour"


def answer(node):
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.positions.save(next_positions)
        node.state.save(window)
        node.output.push(window.average())
        if len(window) > node.threshold:
            node.database.increment()
        positions = next_positions
