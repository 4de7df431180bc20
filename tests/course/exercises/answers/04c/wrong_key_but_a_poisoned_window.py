# Plausible: right when nothing goes wrong.
"""Gives keys, and lets an hour into the window twice after a crash at D."""

REASON = "is wrong"


def answer(node):
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
        if len(window) > node.threshold:
            node.database.increment()
        node.state.save(window)
        node.positions.save(next_positions)
        positions = next_positions
