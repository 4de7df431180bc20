"""Saves the positions first: nothing is doubled, and an average is never written."""

REASON = "is missing from the output"


def answer(node):
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        hour = items[0].hour
        newest = max((reading.hour for reading in window.readings), default=0)
        window.push([item for item in items if item.hour > newest])
        window.trim(node.duration)
        node.state.save(window)
        node.positions.save(next_positions)
        node.registers.cas(f"output.{hour - 1}", 0, window.average())
        if len(window) > node.threshold:
            node.database.increment()
        positions = next_positions
