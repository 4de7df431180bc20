# Plausible: right when nothing goes wrong.
"""Pushes as before."""

REASON = "is in the output more than once"


def answer(node):
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.output.push(window.average())
        if len(window) > node.threshold:
            node.database.increment()
        node.state.save(window)
        node.positions.save(next_positions)
        positions = next_positions
