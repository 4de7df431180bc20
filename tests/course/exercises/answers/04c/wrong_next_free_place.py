"""Looks for the next free place in place of a key: an append in another dress."""

REASON = "is in the output more than once"


def answer(node):
    positions, window = node.positions.load(), node.state.load()
    place = 0
    while node.running():
        items, next_positions = node.read(positions)
        newest = max((reading.hour for reading in window.readings), default=0)
        window.push([item for item in items if item.hour > newest])
        window.trim(node.duration)
        while not node.registers.cas(f"output.{place}", 0, window.average()):
            place += 1
        if len(window) > node.threshold:
            node.database.increment()
        node.state.save(window)
        node.positions.save(next_positions)
        positions = next_positions
