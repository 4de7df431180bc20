"""Saves the position first."""

REASON = "should be at least 8: a reading is lost"


def answer(node):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        node.positions.save(positions)
        for _ in items:
            node.database.increment()
