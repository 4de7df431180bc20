"""Counts the places from 1, so that place 0 stays empty and nobody reads on."""

REASON = "Even when nothing goes wrong"


def answer(node):
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        hour = items[0].hour
        newest = max((reading.hour for reading in window.readings), default=0)
        window.push([item for item in items if item.hour > newest])
        window.trim(node.duration)
        node.registers.cas(f"output.{hour}", 0, window.average())
        if len(window) > node.threshold:
            node.database.increment()
        node.state.save(window)
        node.positions.save(next_positions)
        positions = next_positions
