"""Saves the position from which it read, and not the next one."""

REASON = "the readings of one hour may be counted twice, no more"


def answer(node):
    positions = node.positions.load()
    while node.running():
        items, next_positions = node.read(positions)
        for _ in items:
            node.database.increment()
        node.positions.save(positions)
        positions = next_positions
