"""Saves the position between the two readings of an hour."""

REASON = "should be at least 8: a reading is lost"


def answer(node):
    positions = node.positions.load()
    while node.running():
        _, positions = node.read(positions)
        node.database.increment()
        node.positions.save(positions)
        node.database.increment()
